// A primary and its synchronous standby: the primary is killed while people buy, the standby promoted, and a new standby
// made in the place of the old primary. The shop is never restarted. Debian's PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#features/products/contract/products.ts'
import { openDatabase } from '#platform/db/client.ts'
import { openPostgresPair } from '../postgres-pair.ts'
import { startShop } from '../running-shop.ts'
import { sendBuyers } from './buyers.ts'
import { gatherCrowd } from './crowd.ts'
import { auditPurchases } from './free-trial.ts'
import { createRandom } from './random.ts'
import { collectReceipts } from './receipts.ts'
import { auditStatuses, type Findings, type TrialOptions } from './trial.ts'

const mostMs = 10_000
const patienceMs = 60_000

export async function failOver({ dataDir, buyers: count, rounds, seed }: TrialOptions): Promise<Findings> {
  await using pair = await openPostgresPair()
  const shop = await startShop(dataDir, { env: { DATABASE_URL: pair.url } })
  const crowd = await gatherCrowd(shop.url, count)
  const products = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
  const buyers = sendBuyers(crowd, products, createRandom(seed + 1))
  const { ledger } = buyers

  const random = createRandom(seed)
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await pair.follow()
    await sleep(random.between(2_000, 4_000))
    pair.killPrimary()
    await sleep(random.between(500, 3_000))
    const sold = ledger.acknowledged.size
    const promoted = Date.now()
    await pair.promote()
    while (ledger.acknowledged.size === sold && Date.now() - promoted < patienceMs) await sleep(5)
    const ms = Date.now() - promoted
    recoveries.push(ms)
    console.log(`${String(round).padStart(3)}  killed the primary, sold again ${ms} ms after the promotion`)
  }
  await buyers.finish()
  const receipts = await collectReceipts(
    dataDir,
    [...ledger.acknowledged.values()].map(({ id }) => id),
  )
  const exitCode = await shop.stop()

  await using database = openDatabase(pair.primaryUrl())
  const found = await auditPurchases(database, ledger, receipts)
  const responses = auditStatuses(crowd.statuses, [200, 201, 503])
  return {
    figures: {
      ...found.figures,
      ...responses.figures,
      'median milliseconds from promotion to sale': recoveries.toSorted((a, b) => a - b)[rounds >> 1] ?? 0,
      'most milliseconds from promotion to sale': Math.max(0, ...recoveries),
    },
    violations: {
      ...found.violations,
      ...responses.violations,
      [`promotions that did not sell within ${mostMs} ms`]: recoveries.filter((ms) => ms > mostMs).length,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}
