import { parseArgs } from 'node:util'
import { startEmbeddedPostgres, type CopyData } from '@lectern/postgres'
import { copyShop } from '#domains/operations/upgrade.ts'
import { failureReason } from '#platform/errors.ts'
import { restrictDataFolder } from '#platform/data-folders.ts'
import { createLog, type Log } from '#platform/log.ts'
import { loadEnvFile, readConfig, showsStacks } from './config.ts'
import { announceOpening } from './opening.ts'
import { startShop } from './start-shop.ts'

const openingMs = 10_000
/** After DRAIN_SECONDS. Requests have five seconds of it, jobs three. */
const closingMs = 20_000
let isOpen = false

try {
  const stopSignal = waitForStopSignal()
  const { values } = parseArgs({ options: { 'without-work': { type: 'boolean', default: false } } })
  loadEnvFile()
  const config = readConfig()
  const { dataDir, logLevel } = config
  const log = createLog(logLevel)
  restrictDataFolder(dataDir)

  await using undo = new AsyncDisposableStack()
  let { databaseUrl } = config
  const copyData: CopyData = (from, to) => copyShop(from, to, log)
  databaseUrl ??= undo.use(await startEmbeddedPostgres({ dataDir, log, copyData })).url
  const shop = await startShop(config, { log, databaseUrl, hasWork: !values['without-work'] })
  undo.defer(() => shop.stop())
  isOpen = true
  await announceOpening(shop.shop)

  const signal = await stopSignal
  log.info(`${signal}: finishing requests in flight`)
  setTimeout(() => giveUpClosing(log), config.drainSeconds * 1_000 + closingMs).unref()
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

function giveUpClosing(log: Log): never {
  log.error('The shop could not close in time and ends now')
  process.exit(1)
}
