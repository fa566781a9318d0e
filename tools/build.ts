// `npm run build`, and whether what it made is of the sources at hand. With `--if-due`, only when it is not.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bundler = join(root, 'node_modules/@react-router/dev/bin.cjs')
const vite = join(root, 'node_modules/vite/bin/vite.js')
const stampFile = join(root, 'dist/stamp')

const folders = ['content', 'docs/manual', 'packages', 'src', 'tools']
const files = [
  'package.json',
  'package-lock.json',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
  'vite.islands.config.ts',
]

/** Builds when the build is missing or of other sources. Where there is no bundler, the build at hand is taken. */
export function ensureBuilt(): void {
  const isThere = existsSync(stampFile)
  if (!existsSync(bundler)) {
    if (isThere) return
    throw new Error('The shop is not built, and there is nothing here to build it with: run `npm ci` first.')
  }
  if (isThere && readFileSync(stampFile, 'utf8') === hashSources()) return
  console.log('Building the shop: there is no build of these sources yet.')
  build()
}

/** React Router empties `dist` first, and the stamp is written last: a build that broke off has none. */
function build(): void {
  // Before the build: what is saved meanwhile is built next time.
  const hash = hashSources()
  bundle(vite, ['build', '--config', 'vite.islands.config.ts'])
  bundle(bundler, ['build'])
  writeFileSync(stampFile, hash)
}

function bundle(program: string, args: string[]): void {
  const { status } = spawnSync(process.execPath, [program, ...args, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The shop could not be built.')
}

/** About 130 ms. */
function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of [...folders.flatMap(sourcesIn), ...files].toSorted())
    hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** All but hidden files, tests, installed packages and what the build itself makes. Links are followed; editors leave some that lead nowhere. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(^|\/)(\.|node_modules\/)|\.test\.|^web\/generated/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
}

if (import.meta.main) (process.argv.includes('--if-due') ? ensureBuilt : build)()
