// A PostgreSQL of Debian's, where it is installed, in a folder of its own.
import { chownSync, existsSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/db/client.ts'
import { findServerUser } from '@lectern/postgres'
import { startProcess, type ChildProcess } from './start-process.ts'

export const debianPrograms = '/usr/lib/postgresql/15/bin'
export const hasDebianPostgres = existsSync(join(debianPrograms, 'initdb'))

/** PostgreSQL and PgBouncer refuse to be root: then the folder, and what runs in it, is another user's. */
export type ServerFolder = AsyncDisposable & { path: string; user: { uid: number; gid: number } | undefined }

export async function openServerFolder(): Promise<ServerFolder> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-postgres-15-'))
  const user = findServerUser(folder.path)
  if (user) chownSync(folder.path, user.uid, user.gid)
  return { path: folder.path, user, [Symbol.asyncDispose]: () => folder.remove() }
}

/** Resolves when it has ended well. */
export async function runProgram({ path, user }: ServerFolder, name: string, args: readonly string[]) {
  const { code, stderr } = await startProcess(join(debianPrograms, name), args, { cwd: path, ...user }).ended
  if (code !== 0) throw new Error(`${name} ended with ${code}. ${stderr}`)
}

export async function createCluster(folder: ServerFolder, dir: string): Promise<void> {
  const access = ['-U', 'shop', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  await runProgram(folder, 'initdb', ['-D', dir, ...access])
}

/** Resolves when it can be asked. */
export async function startCluster(
  { path, user }: ServerFolder,
  dir: string,
  { url, flags, env = {} }: { url: string; flags: readonly string[]; env?: Record<string, string> },
): Promise<ChildProcess> {
  const settings = flags.flatMap((flag) => ['-c', flag])
  const server = startProcess(join(debianPrograms, 'postgres'), ['-D', dir, '-k', path, ...settings], {
    cwd: path,
    env,
    ...user,
  })
  while (!(await canAsk(url))) {
    if (!server.isRunning()) throw new Error(`PostgreSQL ended. ${(await server.ended).stderr}`)
    await sleep(50)
  }
  return server
}

async function canAsk(url: string): Promise<boolean> {
  await using database = openDatabase(url, { max: 1 })
  return await database.pool.query('select 1').then(
    () => true,
    () => false,
  )
}

export async function openDebianPostgres({ env = {} }: { env?: Record<string, string> } = {}) {
  await using undo = new AsyncDisposableStack()
  const folder = undo.use(await openServerFolder())
  const dir = join(folder.path, 'cluster')
  await createCluster(folder, dir)
  const url = `postgres://shop@localhost/postgres?host=${encodeURIComponent(folder.path)}`
  const server = await startCluster(folder, dir, { url, flags: ['listen_addresses=', 'fsync=off'], env })
  undo.defer(async () => void (await server.stop('SIGINT')))
  const stack = undo.move()
  return { url, folder, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
