// `npm run db:generate`: a migration from changed tables. With --check it fails where there would be one. Drizzle-kit is
// installed here when it is first called: nobody who runs the shop needs its 40 MB.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../run.ts'

const shipped = join(root, 'src/platform/db/migrations')
const kit = join(import.meta.dirname, 'node_modules/.bin/drizzle-kit')

/** Returns what drizzle-kit says. */
function generateMigration(folder: string, args: readonly string[] = []): string {
  if (!existsSync(kit)) execFileSync('npm', ['ci', '--prefix', import.meta.dirname], { cwd: root })
  // It reads an absolute path as one below the working folder.
  const out = relative(root, folder)
  const options = ['--dialect=postgresql', '--schema=./src/tables/*.ts', `--out=${out}`, ...args]
  return execFileSync(kit, ['generate', ...options], { cwd: root, encoding: 'utf8' })
}

function checkMigrations(): void {
  using copy = mkdtempDisposableSync(join(tmpdir(), 'lectern-migrations-'))
  cpSync(shipped, copy.path, { recursive: true })
  // It ends with 0 when it fails, too.
  const said = generateMigration(copy.path)
  if (said.includes('No schema changes')) return
  console.error(said, '\nnpm run db:generate -- --name <what changes>')
  process.exitCode = 1
}

const args = process.argv.slice(2)
if (args.includes('--check')) checkMigrations()
else console.log(generateMigration(shipped, args))
