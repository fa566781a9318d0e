// Buyers at a shop: what they were told, how long nobody could buy, and whether all of it is in the database afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Product } from '#contract/catalog/products.ts'
import type { Database } from '#platform/db/client.ts'
import { sendBuyers, type Ledger } from './buyers.ts'
import { gatherCrowd, type Crowd } from './crowd.ts'
import type { Touched } from './operator.ts'
import { createRandom } from './random.ts'
import { collectReceipts, type Receipts } from './receipts.ts'
import { auditStatuses, type Findings } from './scenario.ts'
import { auditSums } from './sums.ts'

/** So long one waits for the next purchase. */
const timeoutMs = 120_000

export type Sale = {
  crowd: Crowd
  products: readonly Product[]
  ledger: Ledger
  /** Resolves when another purchase is acknowledged than those now: milliseconds since `since`. */
  untilSold(since?: number): Promise<number>
  /** Every buyer first gets the response they wait for, and every purchase its receipt: the shop must still run. */
  finish(): Promise<void>
  /** After `finish`. `good` are the statuses that the fault may cause. */
  audit(database: Pick<Database, 'pool'>, good: readonly number[]): Promise<Omit<Findings, 'recoveries'>>
}

export type SaleOptions = {
  url: string
  buyers: number
  seed: number
  /** Where the outbox is. */
  dataDir: string
  /** What operators changed meanwhile. */
  touched?: Touched
  /** Waits for the receipts of purchases; from the outbox unless said otherwise. */
  collect?: (purchases: readonly string[]) => Promise<Receipts>
}

const untouched: Touched = { changed: new Set(), deleted: new Set(), actions: new Map() }

export async function openSale(options: SaleOptions): Promise<Sale> {
  const { url, dataDir, touched = untouched } = options
  const { collect = (purchases) => collectReceipts(dataDir, purchases) } = options
  const crowd = await gatherCrowd(url, options.buyers)
  const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
  const buyers = sendBuyers(crowd, products, createRandom(options.seed + 1))
  const { ledger } = buyers
  let receipts: Receipts = new Map()
  return {
    crowd,
    products,
    ledger,
    async untilSold(since = Date.now()) {
      const sold = ledger.acknowledged.size
      const deadline = Date.now() + timeoutMs
      while (ledger.acknowledged.size === sold) {
        if (Date.now() > deadline) throw new Error(`Nothing was sold for ${timeoutMs} ms.`)
        await sleep(5)
      }
      return Date.now() - since
    },
    async finish() {
      await buyers.finish()
      const promised = [...ledger.acknowledged.values()].map(({ id }) => id)
      receipts = await collect(promised.filter((id) => !touched.deleted.has(id)))
    },
    async audit(database, good) {
      const found = await auditPurchases(database, ledger, receipts, touched)
      const statuses = auditStatuses(crowd.statuses, good)
      return {
        ...found,
        figures: { ...found.figures, ...statuses.figures },
        violations: { ...found.violations, ...statuses.violations },
      }
    },
  }
}

type Row = { id: string; user_id: string; product_id: string; amount: number; status: string; key: string }

/** What the buyers of `ledger` were told, against the rows and the receipts. */
export async function auditPurchases(
  database: Pick<Database, 'pool'>,
  { asked, acknowledged, contradicted }: Ledger,
  receipts: Receipts,
  { changed, deleted, actions }: Touched = untouched,
): Promise<Omit<Findings, 'recoveries'>> {
  const { rows } = await database.pool.query<Row>(
    'select id, user_id, product_id, amount, status, idempotency_key as key from purchases',
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const isStored = ([key, { id, amount }]: [string, { id: string; amount: number }]) => {
    if (changed.has(id)) return deleted.has(id) || byId.has(id)
    return isDeepStrictEqual(byId.get(id), { id, key, amount, status: 'completed', ...asked.get(key) })
  }
  // Who presses again after an operator has taken the purchase away buys another.
  const wrong = contradicted.filter((id) => !changed.has(id))
  const own = rows.filter(({ id }) => !changed.has(id))
  const { violations } = await auditSums(database)
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((promise) => !isStored(promise)).length,
    doubled: own.length - new Set(own.map(({ key }) => key)).size + wrong.length,
    figures: {
      'purchases in the database': rows.length,
      'purchases made for buyers who had given up': rows.filter(({ key }) => !acknowledged.has(key)).length,
      'receipts sent more than once': [...receipts.values()].filter((count) => count > 1).length,
      ...Object.fromEntries(
        [...actions].map(([name, count]) => [`times that purchases were ${name}`, count]),
      ),
    },
    violations: {
      'purchases nobody asked for': rows.filter(({ key }) => !asked.has(key)).length,
      'purchases without a receipt': rows.filter(({ id }) => !receipts.has(id)).length,
      'receipts without a purchase': [...receipts.keys()].filter((id) => !byId.has(id) && !deleted.has(id))
        .length,
      ...violations,
    },
  }
}
