// Starts the server process, restarts the shop after a restore, and ends it on a signal.
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres, type CopyData } from '@lectern/postgres'
import { createRestoring, type Restoring } from '#domains/setup/restoring.ts'
import { copyShop } from '#domains/backup/copy-shop.ts'
import { failureReason } from '#platform/errors.ts'
import { restrictDataFolder } from '#platform/data-folders.ts'
import { createHttpServer } from '#platform/http/server.ts'
import { createLog, type Log } from '#platform/log.ts'
import { loadEnvFile, readConfig, showsStacks } from './config.ts'
import { announceOpening } from './opening.ts'
import { startShop } from './start-shop.ts'

const openingMs = 10_000
/** The time begins after DRAIN_SECONDS. Requests have five seconds of it, jobs three. */
const closingMs = 20_000
let isOpen = false

try {
  const stopSignal = waitForStopSignal()
  const stopping = new AbortController()
  void stopSignal.then(() => stopping.abort())
  const { values } = parseArgs({ options: { 'without-work': { type: 'boolean', default: false } } })
  loadEnvFile()
  const config = readConfig()
  const { dataDir, logLevel } = config
  const log = createLog(logLevel)
  restrictDataFolder(dataDir)
  const http = createHttpServer(config)
  if (config.socketFd !== undefined)
    log.info('The shop listens on the socket that systemd holds: HOST and PORT are not read')

  await using undo = new AsyncDisposableStack()
  let { databaseUrl } = config
  const copyData: CopyData = (from, to) => copyShop(from, to, log)
  databaseUrl ??= undo.use(await startEmbeddedPostgres({ dataDir, log, copyData })).url
  const restoring = createRestoring()
  /** False once it was closed for good. */
  const runShop = async (): Promise<boolean> => {
    const { shop, stop } = await openAgain({ restoring, stopping: stopping.signal }, () =>
      startShop(config, {
        log,
        http,
        databaseUrl,
        restoring,
        hasWork: !values['without-work'],
        stopping: stopping.signal,
      }),
    )
    isOpen = true
    await announceOpening(shop)
    const next = await Promise.race([stopSignal, restoring.nextClosing()])
    if (typeof next !== 'string') {
      isOpen = false
      log.info('The shop closes, and opens again with the restored data')
      await stop({ isLast: false })
      await next()
      return true
    }
    log.info(`${next}: finishing requests in flight`)
    setTimeout(() => giveUpClosing(log), config.drainSeconds * 1_000 + closingMs).unref()
    await stop()
    return false
  }
  while (await runShop());
  await undo.disposeAsync()
  log.info('The shop is closed')
  process.exit(0)
} catch (error) {
  console.error(showsStacks() ? error : failureReason(error))
  process.exit(1)
}

function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      resolve(signal)
      setTimeout(() => isOpen || process.exit(1), openingMs).unref()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}

type Opening = { restoring: Restoring; stopping: AbortSignal }

/** A shop that does not start with restored data starts with the former ones, unless it was asked to stop. */
async function openAgain<Started>(
  { restoring: { goBack }, stopping }: Opening,
  start: () => Promise<Started>,
): Promise<Started> {
  try {
    return await start()
  } catch (error) {
    if (!goBack || stopping.aborted) throw error
    await goBack(error)
    return start()
  }
}

function giveUpClosing(log: Log): never {
  log.error('The shop could not close in time and ends now')
  process.exit(1)
}
