// Starts the shop and stops it when asked to. With lean-start.ts the only file with side effects.
import { forgetStart } from './lean-start.ts'
import { loadEnvFile, readConfig, showsStacks } from './config.ts'
import { createLog } from './log.ts'
import { ensureBuilt } from './site/build.ts'

try {
  loadEnvFile()
  const config = readConfig()
  const log = createLog(config.logLevel)
  if (!config.isDevelopment) ensureBuilt()
  // Not sooner: lean-start.ts must have run by then.
  const { startServer } = await import('./server.ts')
  const server = await startServer(config, log)
  setTimeout(forgetStart, 2_000).unref()
  log.info(`The shop is open at ${config.siteUrl}`)
  if (!config.hasRateLimits) log.warn('RATE_LIMIT is off: nothing slows an attacker down')
  if (!config.payments)
    log.warn('No payment provider is set: purchases complete without any money being taken')
  else if (!config.payments.isLive) log.warn('Payments run on test keys: no money is taken')

  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info(`${signal}: finishing requests in flight`)
    await server.stop()
    log.info('The shop is closed')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
} catch (error) {
  console.error(showsStacks() ? error : reason(error))
  process.exit(1)
}

/** An error that stands for several, as of a refused connection, has no words of its own. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}
