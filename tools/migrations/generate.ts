// `npm run db:generate`: a migration from changed tables, functions and triggers. With --check it fails where there would
// be one. Drizzle-kit is installed here when it is first called: nobody who runs the shop needs its 40 MB.
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, globSync, mkdtempDisposableSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../run.ts'
import { findChangedDefinitions, statementBreak } from './functions.ts'

const shipped = join(root, 'src/platform/db/migrations')
const functions = join(root, 'src/platform/db/functions')
const kit = join(import.meta.dirname, 'node_modules/.bin/drizzle-kit')

/** Returns what drizzle-kit says. */
function runKit(folder: string, args: readonly string[] = []): string {
  if (!existsSync(kit)) execFileSync('npm', ['ci', '--prefix', import.meta.dirname], { cwd: root })
  // It reads an absolute path as one below the working folder.
  const out = relative(root, folder)
  const options = ['--dialect=postgresql', '--schema=./src/tables/*.ts', `--out=${out}`, ...args]
  return execFileSync(kit, ['generate', ...options], { cwd: root, encoding: 'utf8' })
}

const isUnchanged = (said: string) => said.includes('No schema changes')

function checkMigrations(): void {
  using copy = mkdtempDisposableSync(join(tmpdir(), 'lectern-migrations-'))
  cpSync(shipped, copy.path, { recursive: true })
  // It ends with 0 when it fails, too.
  const said = runKit(copy.path)
  const changed = findChangedDefinitions(functions, shipped)
  if (isUnchanged(said) && changed.length === 0) return
  console.error([said, ...changed].join('\n'), '\nnpm run db:generate -- --name <what changes>')
  process.exitCode = 1
}

function generateMigration(args: readonly string[]): void {
  const changed = findChangedDefinitions(functions, shipped)
  let said = runKit(shipped, args)
  // An empty migration is one that drizzle-kit calls custom.
  if (isUnchanged(said) && changed.length > 0) said = runKit(shipped, ['--custom', ...args])
  console.log(said)
  if (isUnchanged(said)) return
  const newest = globSync('*.sql', { cwd: shipped }).toSorted().at(-1)
  for (const text of changed) appendFileSync(join(shipped, newest ?? ''), `\n${statementBreak}\n${text}`)
  // Drizzle-kit reads the newest only.
  const snapshots = globSync('meta/*_snapshot.json', { cwd: shipped }).toSorted()
  for (const former of snapshots.slice(0, -1)) rmSync(join(shipped, former))
}

const args = process.argv.slice(2)
if (args.includes('--check')) checkMigrations()
else generateMigration(args)
