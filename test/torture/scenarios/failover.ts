// A primary and its synchronous standby: the primary is killed while people buy, the standby promoted, and a new standby
// made in the place of the old primary. The shop is never restarted. Debian's PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/db/client.ts'
import { hasDebianPostgres } from '../../debian-postgres.ts'
import { openPostgresPair } from '../../postgres-pair.ts'
import { startShop } from '../../running-shop.ts'
import { createRandom } from '../random.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const maxMs = 10_000

export const scenario: Scenario = {
  fault: 'primary killed, standby promoted',
  rounds: 5,
  buyers: 8,
  needs: hasDebianPostgres ? '' : 'PostgreSQL 15: apt-get install postgresql',
  run: failOver,
}

async function failOver({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using pair = await openPostgresPair()
  await using shop = await startShop(dataDir, { env: { DATABASE_URL: pair.url } })
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })

  const random = createRandom(seed)
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await pair.follow()
    await sleep(random.between(2_000, 4_000))
    pair.killPrimary()
    await sleep(random.between(500, 3_000))
    const sold = sale.untilSold()
    await pair.promote()
    const ms = await sold
    recoveries.push(ms)
    console.log(`${String(round).padStart(3)}  killed the primary, sold again ${ms} ms after the promotion`)
  }
  await sale.finish()
  const exitCode = await shop.stop()

  await using database = openDatabase(pair.primaryUrl())
  const found = await sale.audit(database, [200, 201, 503])
  const violations = {
    ...found.violations,
    [`promotions that did not sell within ${maxMs} ms`]: recoveries.filter((ms) => ms > maxMs).length,
    'exit code after SIGTERM': exitCode ?? 1,
  }
  return { ...found, violations, recoveries }
}
