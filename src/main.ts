// Opens the shop and closes it when asked to. With start.ts the only file with side effects.
import { executionAsyncResource } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMailReadable, loadEnvFile, readConfig, showsStacks } from './config.ts'
import { keepDataPrivate } from '#platform/private-data.ts'
import { beginDatabase } from '#platform/db/begin.ts'
import { createLog } from '#platform/log.ts'

/** When a collection finds no tick alive, V8 forgets their shape and makes each later one the slow way: one lives on. */
const keptTicks: object[] = []
let isOpen = false
/** Asked to stop while it opens, it opens first, unless that takes too long. */
const openingMs = 10_000

try {
  const asked = listenForSignals()
  process.nextTick(() => keptTicks.push(executionAsyncResource()))
  loadEnvFile()
  const config = readConfig()
  const log = createLog(config.logLevel)
  keepDataPrivate(config.dataDir)
  const begun = await beginDatabase(config, log)
  const { startServer } = await import('./server.ts')
  const server = await startServer(config, log, begun)
  isOpen = true
  setTimeout(forgetStart, 2_000).unref()
  log.info(`The shop is open at ${config.siteUrl}`)
  if (!config.hasRateLimits) log.warn('RATE_LIMIT is off: nothing slows an attacker down')
  if (isMailReadable(config))
    log.warn(
      'SMTP_URL begins with smtp://: mails and the password may travel unencrypted. Use smtps://, or add ?requireTLS=true',
    )
  if (!config.payments)
    log.warn('No payment provider is set: purchases complete without any money being taken')
  else if (!config.payments.isLive) log.warn('Payments run on test keys: no money is taken')

  const signal = await asked
  log.info(`${signal}: finishing requests in flight`)
  await server.stop()
  log.info('The shop is closed')
  process.exit(0)
} catch (error) {
  console.error(showsStacks() ? error : reason(error))
  process.exit(1)
}

/** From the very start: it is asked, and no request cut off, as soon as the first is answered. */
function listenForSignals(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const hear = (signal: NodeJS.Signals) => {
      resolve(signal)
      setTimeout(() => isOpen || process.exit(1), openingMs).unref()
    }
    process.on('SIGTERM', hear)
    process.on('SIGINT', hear)
  })
}

/** An error that stands for several, as of a refused connection, has no words of its own. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}

/** What loading leaves behind V8 would keep until visitors have filled the heap. Takes about 60 ms. */
function forgetStart(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}
