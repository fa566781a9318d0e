// Starts the shop and stops it when asked to. The only file with side effects.
import { ConfigError, loadEnvFile, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startServer } from './server.ts'
import { ensureBuilt } from './site/build.ts'

try {
  loadEnvFile()
  const config = readConfig()
  const log = createLog(config.logLevel)
  if (!config.isDevelopment) ensureBuilt()
  const server = await startServer(config, log)
  log.info(`The shop is open at ${config.siteUrl}`)
  if (!config.hasRateLimits) log.warn('RATE_LIMIT is off: nothing slows an attacker down')
  log.warn('No payment provider is set: purchases complete without any money being taken')

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
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
