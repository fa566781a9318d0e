// Installs what tests need from Debian.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cleanEnvironment } from './environment.ts'

/** On Debian, as root. */
export function canInstallPackages(): boolean {
  return isDebian() && process.getuid?.() === 0
}

/** Throws where one cannot be had. */
export function installPackages(...names: string[]): void {
  aptGet('update', '-qq')
  aptGet('install', '-y', '-qq', '--no-install-recommends', ...names)
}

function aptGet(...words: string[]): void {
  const env = cleanEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
  execFileSync('apt-get', words, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function isDebian(): boolean {
  return existsSync('/etc/debian_version') && readFileSync('/etc/os-release', 'utf8').includes('debian')
}
