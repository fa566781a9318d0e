// Finds the Chromium that prints the book and walks the journeys; never downloads one on its own but on Debian.
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { canInstallPackages, installPackages } from './debian-packages.ts'

/** Chromium without the windows of a browser: the journeys take about half of the processor time with it. */
const headlessShell = '/usr/bin/chromium-headless-shell'

const withWindows = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export function findChromium(): string | undefined {
  return findFirst([process.env.CHROMIUM_PATH, headlessShell, ...withWindows])
}

/** One that has a back/forward cache, as the headless shell has not. */
export function findCachingChromium(): string | undefined {
  return findFirst([process.env.CHROMIUM_PATH, ...withWindows])
}

function findFirst(paths: readonly (string | undefined)[]): string | undefined {
  return [...paths, chromium.executablePath()].find((path) => path && existsSync(path))
}

/** On Debian, as root, installs it when there is none; elsewhere throws a sentence that says what to do. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  if (!canInstallPackages())
    throw new Error(
      'No Chromium found: install Chromium or Chrome, run "npx playwright install chromium", or set CHROMIUM_PATH.',
    )
  installPackages('chromium-headless-shell')
  return findChromium() ?? fail()
}

function fail(): never {
  throw new Error('Chromium was installed but cannot be found: set CHROMIUM_PATH.')
}
