// The mail server fails one call in five while people buy. Every receipt arrives, and twice only where the connection broke
// after the whole email had been sent: then no sender can know whether it was taken over.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { startShop } from '../../running-shop.ts'
import { openFaultySmtp, type FaultySmtp } from '../faulty-smtp.ts'
import { createRandom } from '../random.ts'
import { receiptOf, type Receipts } from '../receipts.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const roundMs = 2_000
/** Emails that failed several times in a row are tried again after minutes. */
const timeoutMs = 600_000

export const scenario: Scenario = {
  fault: 'SMTP fails one call in five',
  rounds: 5,
  buyers: 4,
  run: failMail,
}

async function failMail({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using smtp = await openFaultySmtp(createRandom(seed))
  await using shop = await startShop(dataDir, { env: { SMTP_URL: smtp.url } })
  let lastMs = 0
  async function collect(purchases: readonly string[]): Promise<Receipts> {
    const since = Date.now()
    const isMissing = (id: string) => !readReceipts(smtp).has(id)
    while (purchases.some(isMissing) && Date.now() - since < timeoutMs) await sleep(500)
    lastMs = Date.now() - since
    // One that was taken over is sent again some seconds later where the shop was not told.
    await sleep(10_000)
    return readReceipts(smtp)
  }
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir, collect })
  await sleep(rounds * roundMs)
  await sale.finish()
  const exitCode = await shop.stop()

  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  const found = await sale.audit(database, [200, 201])
  const counts = [...smtp.counts].map(([name, count]) => [`calls that failed: ${name}`, count])
  return {
    ...found,
    recoveries: [],
    figures: {
      ...found.figures,
      ...Object.fromEntries(counts),
      'emails whose sender was not told that they were taken over': smtp.untold.size,
      'milliseconds from the last purchase to the last receipt': lastMs,
    },
    violations: {
      ...found.violations,
      'emails that came twice although the sender was told': [...smtp.taken].filter(
        ([id, { count }]) => count > 1 && !smtp.untold.has(id),
      ).length,
      'purchases with receipts of two Message-IDs': countTwins(smtp),
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

function readReceipts({ taken }: FaultySmtp): Receipts {
  const receipts: Receipts = new Map()
  for (const { id, count } of readIds({ taken })) receipts.set(id, (receipts.get(id) ?? 0) + count)
  return receipts
}

/** A mailbox shows two emails of one Message-ID once. */
function countTwins(smtp: FaultySmtp): number {
  const ids = readIds(smtp).map(({ id }) => id)
  return ids.length - new Set(ids).size
}

function readIds({ taken }: Pick<FaultySmtp, 'taken'>): { id: string; count: number }[] {
  return [...taken.values()].flatMap((email) => {
    const id = receiptOf(email)
    return id ? [{ id, count: email.count }] : []
  })
}
