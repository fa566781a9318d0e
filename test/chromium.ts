// Finds the Chromium that prints the book and walks the journeys; never downloads one on its own but on Debian.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { cleanEnvironment } from './environment.ts'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...places, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  )
}

/** On Debian, as root, installs it when there is none; elsewhere throws a sentence that says what to do. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  if (!isDebian() || process.getuid?.() !== 0)
    throw new Error(
      'No Chromium found: install Chromium or Chrome, run "npx playwright install chromium", or set CHROMIUM_PATH.',
    )
  aptGet('update', '-qq')
  aptGet('install', '-y', '-qq', '--no-install-recommends', 'chromium')
  return findChromium() ?? fail()
}

function aptGet(...words: string[]): void {
  const env = cleanEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
  execFileSync('apt-get', words, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function isDebian(): boolean {
  return existsSync('/etc/debian_version') && readFileSync('/etc/os-release', 'utf8').includes('debian')
}

function fail(): never {
  throw new Error('Chromium was installed but cannot be found: set CHROMIUM_PATH.')
}
