// The shop is told to stop while nothing comes from its database, and started again when it does.
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../find-free-port.ts'
import { startShop } from '../../running-shop.ts'
import { openDatabase } from '#platform/db/client.ts'
import { openProxiedDatabase } from '../proxied-database.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

/** systemd waits so long before it kills, see deploy/lectern.service. */
const maxMs = 30_000

export const scenario: Scenario = {
  fault: 'SIGTERM while the connection to the database swallows everything',
  rounds: 2,
  buyers: 8,
  run,
}

async function run({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using link = await openProxiedDatabase(dataDir)
  const port = await findFreePort()
  const start = () => startShop(dataDir, { env: { DATABASE_URL: link.databaseUrl }, port })
  let shop = await start()
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const stops: number[] = []
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await sleep(5_000)
    link.proxy.link.isBlackHole = true
    await sleep(2_000)
    const stopping = Date.now()
    await shop.stop()
    const started = Date.now()
    stops.push(started - stopping)
    link.proxy.link.isBlackHole = false
    shop = await start()
    recoveries.push(await sale.untilSold(started))
    console.log(
      `${String(round).padStart(3)}  stopped in ${stops.at(-1)} ms, sold after ${recoveries.at(-1)} ms`,
    )
  }
  await sale.finish()
  const exitCode = await shop.stop()
  await using database = openDatabase(link.auditUrl)
  const found = await sale.audit(database, [0, 200, 201, 503])
  return {
    ...found,
    recoveries,
    figures: { ...found.figures, 'most milliseconds until the shop had stopped': Math.max(...stops) },
    violations: {
      ...found.violations,
      [`stops that took over ${maxMs} ms`]: stops.filter((ms) => ms > maxMs).length,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}
