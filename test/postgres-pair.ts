// A primary and its synchronous standby, of Debian's PostgreSQL, which take each other's place.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/db/client.ts'
import {
  createCluster,
  openServerFolder,
  runProgram,
  startCluster,
  type ServerFolder,
} from './debian-postgres.ts'
import { findFreePort } from './find-free-port.ts'
import { killAll, processesIn } from './postgres-owner.ts'

type Server = { port: number; dir: string; url: string }

export type PostgresPair = AsyncDisposable & {
  /** Names both hosts. */
  url: string
  /** Of the primary alone. */
  primaryUrl(): string
  /** Makes the standby anew; from then on a commit is acknowledged when both have stored it. */
  follow(): Promise<void>
  /** SIGKILL to all its processes. */
  killPrimary(): void
  /** Resolves when the standby has been told; then it is the primary. */
  promote(): Promise<void>
}

export async function openPostgresPair(): Promise<PostgresPair> {
  await using undo = new AsyncDisposableStack()
  const folder = undo.use(await openServerFolder())
  let primary = await describeServer(folder, 'one')
  let standby = await describeServer(folder, 'two')
  undo.defer(() => killAll(processesIn(folder.path)))
  await createCluster(folder, primary.dir)
  await startServer(folder, primary)
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')

  const stack = undo.move()
  return {
    url: `postgres://shop@${hosts}/postgres?target_session_attrs=read-write`,
    primaryUrl: () => primary.url,
    follow: () => follow(folder, standby, primary),
    killPrimary: () => killAll(processesIn(primary.dir)),
    async promote() {
      await runProgram(folder, 'pg_ctl', ['promote', '-D', standby.dir, '-W'])
      const dead = primary
      primary = standby
      standby = dead
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function describeServer({ path }: ServerFolder, name: string): Promise<Server> {
  const port = await findFreePort()
  return { port, dir: join(path, name), url: `postgres://shop@127.0.0.1:${port}/postgres` }
}

async function startServer(folder: ServerFolder, { dir, url, port }: Server): Promise<void> {
  await startCluster(folder, dir, { url, flags: ['listen_addresses=127.0.0.1', `port=${port}`] })
}

async function follow(folder: ServerFolder, standby: Server, primary: Server): Promise<void> {
  await rm(standby.dir, { recursive: true, force: true })
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'shop']
  await runProgram(folder, 'pg_basebackup', [...from, '-D', standby.dir, '-R', '-X', 'stream', '-c', 'fast'])
  await startServer(folder, standby)
  await using database = openDatabase(primary.url, { max: 1 })
  await database.pool.query(`alter system set synchronous_standby_names = '*'`)
  await database.pool.query('select pg_reload_conf()')
  const isFollowed = `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`
  while ((await database.pool.query(isFollowed)).rowCount !== 1) await sleep(50)
}
