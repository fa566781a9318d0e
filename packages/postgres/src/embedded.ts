// The PostgreSQL that runs when no DATABASE_URL is set: started here, started again when it dies, stopped with this
// process.
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { clusterUrl } from './cluster-url.ts'
import { openCluster, type Cluster } from './cluster.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'
import { clearLeftovers } from './leftovers.ts'
import { openLogFile } from './log-file.ts'
import { upgradeCluster, type CopyData } from './major-upgrade.ts'
import { KilledServer, launchServer, type ServerProcess, type Settings } from './server-process.ts'

export { lockFolder } from './folder-lock.ts'
export { findServerUser } from './server-user.ts'
export type { CopyData } from './major-upgrade.ts'

type Log = Pick<Logger, 'info' | 'warn' | 'error'>

export type EmbeddedPostgres = AsyncDisposable & { url: string; stop(): Promise<void> }

const STABLE_AFTER_MS = 60_000
const LONGEST_PAUSE_MS = 10_000
const PAUSE_MS = 200
/** A shop repeats its start for as long while its database is away. */
const START_AGAIN_MS = 60_000

/**
 * Creates the cluster in `dataDir` when there is none, starts it, and starts it again whenever it dies before `stop()`.
 * With `copyData`, a cluster of an older major version is replaced by a copy of its data first; without, it is refused.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
  settings?: Settings
  copyData?: CopyData
}): Promise<EmbeddedPostgres> {
  const { log, settings = {}, copyData } = options
  const folder = join(resolve(options.dataDir), 'postgres')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  using held = new DisposableStack()
  held.use(
    lockFolder(folder, `Another Lectern is running on ${folder}: stop it first, or set another DATA_DIR.`),
  )

  const logFile = openLogFile(join(folder, 'postgres.log'))
  await upgradeCluster(folder, { log, settings, logFile, copyData })
  const cluster = await openCluster(folder, log)
  const url = clusterUrl(cluster, held)
  const stopping = new AbortController()
  const start = () => startServer(cluster, { settings, logFile, signal: stopping.signal })
  const server = await startAgainWhileKilled(start, log)
  const supervision = keepRunning(server, start, stopping.signal, log)
  const release = held.move()

  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= shutDown())
  async function shutDown() {
    stopping.abort()
    await supervision
    await clearLeftovers(cluster.dir)
    release.dispose()
  }
  return { url, stop, [Symbol.asyncDispose]: stop }
}

/** The one that runs on this folder already, else one of its own for as long as it is needed: for the shell's commands. */
export async function joinEmbeddedPostgres(options: {
  dataDir: string
  log: Log
}): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres(options)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
  const folder = join(resolve(options.dataDir), 'postgres')
  const held = new DisposableStack()
  const cluster = { dir: join(folder, 'cluster'), password: readFileSync(join(folder, 'password'), 'utf8') }
  const stop = async () => held.dispose()
  return { url: clusterUrl(cluster, held), stop, [Symbol.asyncDispose]: stop }
}

async function startServer(cluster: Cluster, options: Parameters<typeof launchServer>[1]) {
  await clearLeftovers(cluster.dir)
  const server = launchServer(cluster, options)
  await server.ready
  return server
}

/** One that ends by itself has a reason, which is thrown. */
async function startAgainWhileKilled(start: () => Promise<ServerProcess>, log: Log): Promise<ServerProcess> {
  const end = performance.now() + START_AGAIN_MS
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof KilledServer) || performance.now() > end) throw error
      log.error('PostgreSQL was killed as it started; starting it again')
      await sleep(PAUSE_MS)
    }
  }
}

async function keepRunning(
  server: ServerProcess,
  start: () => Promise<ServerProcess>,
  stopping: AbortSignal,
  log: Log,
) {
  for (let failures = 0; ; failures++) {
    const since = Date.now()
    await server.exited
    if (stopping.aborted) return
    if (Date.now() - since > STABLE_AFTER_MS) failures = 0
    const pause = failures && Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS)
    log.error(`PostgreSQL has died; starting it again in ${pause} ms`)
    await sleep(pause, undefined, { signal: stopping }).catch(() => {})
    try {
      server = await start()
      log.info('PostgreSQL is back')
    } catch (error) {
      if (!stopping.aborted) log.error(error)
    }
  }
}
