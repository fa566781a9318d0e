// `npm run build`, and whether what it made is of the sources at hand.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bundler = join(root, 'node_modules/@react-router/dev/bin.cjs')
const stampFile = join(root, 'dist/stamp')

const folders = ['content', 'packages', 'src', 'tools']
const files = [
  'package.json',
  'package-lock.json',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
]

/** Builds when the build is missing or of other sources. Where there is no bundler, the build at hand is taken. */
export function ensureBuilt(): void {
  const isThere = existsSync(stampFile)
  if (!existsSync(bundler)) {
    if (isThere) return
    throw new Error('The shop is not built, and there is nothing here to build it with: run `npm ci` first.')
  }
  if (isThere) {
    if (!hasChangedSince(statSync(stampFile).mtimeMs)) return
    const sources = lookAtSources()
    if (readFileSync(stampFile, 'utf8') === sources.fingerprint) return noteUnchanged(sources)
  }
  console.log('Building the shop: there is no build of these sources yet.')
  build()
}

/** React Router empties `dist` first. */
function build(): void {
  const sources = lookAtSources()
  const { status } = spawnSync(process.execPath, [bundler, 'build', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The shop could not be built.')
  stampBuild(sources)
}

/** Touched, or changed back: the next start need not read them again, unless the process may not write here. */
function noteUnchanged(sources: Sources): void {
  try {
    stampBuild(sources)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
  }
}

type Sources = { fingerprint: string; seenMs: number }

/**
 * To be noted last, so that a build that broke off is never taken for a whole one: by the sources as they were when it
 * began, so that one that was saved meanwhile is built next time.
 */
export function stampBuild({ fingerprint, seenMs }: Sources): void {
  writeFileSync(stampFile, fingerprint)
  utimesSync(stampFile, seenMs / 1000, seenMs / 1000)
}

export function lookAtSources(): Sources {
  // File systems count time in coarser steps.
  const seenMs = Date.now() - 1000
  const hash = createHash('sha256')
  for (const file of [...folders.flatMap(sourcesIn), ...files].toSorted()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return { fingerprint: hash.digest('hex'), seenMs }
}

/** By the time of the change that no copying tool can set back. Many times quicker than reading them all. */
function hasChangedSince(ms: number): boolean {
  return [...folders, ...files].some((name) => isNewer(join(root, name), ms))
}

/** With all that a folder holds. A link counts as what it leads to; one that leads nowhere, as editors leave them, is none. */
function isNewer(path: string, ms: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return false
  if (found.ctimeMs > ms) return true
  return found.isDirectory() && readdirSync(path).some((name) => isNewer(`${path}/${name}`, ms))
}

/** Follows links to folders, too. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(ts|tsx|css|md)$/.test(name) && !name.includes('.test.') && !name.startsWith('web/generated'),
    )
    .map((name) => join(folder, name))
    .filter((name) => existsSync(join(root, name)))
}

if (import.meta.main) build()
