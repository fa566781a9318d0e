// A shop in a process of its own whose hourly sweep runs at SIGUSR2, and then prints "swept" with the bytes that are in use on
// its heap. With SWEEPS=trusting it sweeps also while its clock is wrong, for a day that takes minutes.
import { startEmbeddedPostgres } from '@lectern/postgres'
import { createLog } from '#platform/log.ts'
import { createSweeps, sweep } from '../../src/background.ts'
import { readConfig } from '../../src/config.ts'
import { startShop } from '../../src/start-shop.ts'

const config = readConfig()
const log = createLog(config.logLevel)
await using undo = new AsyncDisposableStack()
const databaseUrl =
  config.databaseUrl ?? undo.use(await startEmbeddedPostgres({ dataDir: config.dataDir, log })).url
const running = await startShop(config, { log, databaseUrl })
undo.defer(() => running.stop())
const run = process.env['SWEEPS'] === 'trusting' ? () => sweep(running.shop) : createSweeps(running.shop)
process.on('SIGUSR2', () => void sweepAndTell())
await new Promise((resolve) => process.once('SIGTERM', resolve))
await undo.disposeAsync()
process.exit(0)

async function sweepAndTell(): Promise<void> {
  await run()
  globalThis.gc?.()
  console.log(`swept ${process.memoryUsage().heapUsed}`)
}
