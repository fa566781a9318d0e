// Where no money is taken: buyers who press again until they are answered, and operators who change rows meanwhile.
import { isDeepStrictEqual } from 'node:util'
import type { Product } from '#features/products/contract/products.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { createLog } from '#platform/log.ts'
import { sendBuyers, type Buyers, type Ledger } from './buyers.ts'
import { gatherCrowd, type Crowd } from './crowd.ts'
import { sendOperators, type Operators, type Touched } from './operator.ts'
import { createRandom } from './random.ts'
import { collectReceipts, type Receipts } from './receipts.ts'
import { auditSums } from './sums.ts'
import { auditStatuses, type Findings, type Trial, type TrialOptions } from './trial.ts'

export function openFreeTrial({ dataDir, buyers: count, seed }: TrialOptions): Trial {
  let crowd: Crowd
  let buyers: Buyers
  let operators: Operators
  let receipts: Receipts
  return {
    env: {},
    async begin({ url }) {
      crowd = await gatherCrowd(url, count)
      const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
      buyers = sendBuyers(crowd, products, createRandom(seed + 1))
      operators = await sendOperators(dataDir, createRandom(seed + 2))
    },
    async end() {
      await buyers.finish()
      await operators.finish()
      const promised = [...buyers.ledger.acknowledged.values()].map(({ id }) => id)
      receipts = await collectReceipts(
        dataDir,
        promised.filter((id) => !operators.touched.deleted.has(id)),
      )
    },
    async audit() {
      await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
      await using database = openDatabase(postgres.url)
      const found = await auditPurchases(database, buyers.ledger, receipts, operators.touched)
      // 404: an operator has deleted what was just bought.
      const statuses = auditStatuses(crowd.statuses, [0, 200, 201, 401, 404, 503])
      return {
        figures: { ...found.figures, ...statuses.figures },
        violations: { ...found.violations, ...statuses.violations },
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

type Row = { id: string; user_id: string; product_id: string; amount: number; status: string; key: string }

const untouched: Touched = { changed: new Set(), deleted: new Set(), actions: new Map() }

export async function auditPurchases(
  database: Pick<Database, 'pool'>,
  { asked, acknowledged, contradicted }: Ledger,
  receipts: Receipts,
  { changed, deleted, actions }: Touched = untouched,
): Promise<Findings> {
  const { rows } = await database.pool.query<Row>(
    'select id, user_id, product_id, amount, status, idempotency_key as key from purchases',
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const isKept = ([key, { id, amount }]: [string, { id: string; amount: number }]) => {
    if (changed.has(id)) return deleted.has(id) || byId.has(id)
    return isDeepStrictEqual(byId.get(id), { id, key, amount, status: 'completed', ...asked.get(key) })
  }
  // Who presses again after an operator has taken the purchase away buys another.
  const told = contradicted.filter((id) => !changed.has(id))
  const own = rows.filter(({ id }) => !changed.has(id))
  const { violations } = await auditSums(database)
  return {
    figures: {
      'purchases acknowledged': acknowledged.size,
      'purchases in the database': rows.length,
      'purchases made for buyers who had given up': rows.filter(({ key }) => !acknowledged.has(key)).length,
      'receipts sent more than once': [...receipts.values()].filter((count) => count > 1).length,
      ...Object.fromEntries(
        [...actions].map(([name, count]) => [`times that purchases were ${name}`, count]),
      ),
    },
    violations: {
      'acknowledged purchases lost': [...acknowledged].filter((promise) => !isKept(promise)).length,
      'purchases made twice': own.length - new Set(own.map(({ key }) => key)).size + told.length,
      'purchases nobody asked for': rows.filter(({ key }) => !asked.has(key)).length,
      'purchases without a receipt': rows.filter(({ id }) => !receipts.has(id)).length,
      'receipts without a purchase': [...receipts.keys()].filter((id) => !byId.has(id) && !deleted.has(id))
        .length,
      ...violations,
    },
  }
}
