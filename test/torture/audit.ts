// Afterwards: what was promised, beside what is in the database and in the outbox.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import PostalMime from 'postal-mime'
import { openDatabase } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { createLog } from '#server/log.ts'
import { readSums } from '../sales-sums.ts'
import type { Ledger } from './buyers.ts'

/** How often the receipt of each purchase, by its id, lies in the outbox. */
export type Receipts = Map<string, number>

/** A job whose process was killed is tried again only after its heartbeat has been missed. */
const patienceMs = 90_000

/** Reads until every acknowledged purchase has a receipt, or none has come for a long time. */
export async function collectReceipts(dataDir: string, { acknowledged }: Ledger): Promise<Receipts> {
  const outbox = join(dataDir, 'outbox')
  const seen = new Set<string>()
  const receipts: Receipts = new Map()
  const missing = new Set([...acknowledged.values()].map(({ id }) => id))
  let lastNews = Date.now()
  for (;;) {
    const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml') && !seen.has(name))
    for (const name of names) {
      seen.add(name)
      const { text } = await PostalMime.parse(await readFile(join(outbox, name)))
      const [, id] = /\bPurchase\s+([0-9a-f-]{36})/.exec(text ?? '') ?? []
      if (!id) continue
      receipts.set(id, (receipts.get(id) ?? 0) + 1)
      missing.delete(id)
    }
    if (names.length > 0) lastNews = Date.now()
    else if (missing.size === 0 || Date.now() - lastNews > patienceMs) return receipts
    await sleep(200)
  }
}

type Row = { id: string; user_id: string; product_id: string; amount: number; status: string; key: string }

/** What there is to know, and what must all be 0. */
export type Findings = { figures: Record<string, number>; violations: Record<string, number> }

/** The server must have stopped: the database is opened here. */
export async function audit(dataDir: string, ledger: Ledger, receipts: Receipts): Promise<Findings> {
  const { asked, acknowledged, contradicted } = ledger
  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  const { rows } = await database.pool.query<Row>(
    'select id, user_id, product_id, amount, status, idempotency_key as key from purchases',
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const isKept = ([key, { id, amount }]: [string, { id: string; amount: number }]) =>
    isDeepStrictEqual(byId.get(id), { id, key, amount, status: 'completed', ...asked.get(key) })
  const { kept, counted, wrongReaders } = await readSums(database)
  const day = (sums: { day: string; product_id: string }) => `${sums.day} ${sums.product_id}`
  const known = new Map(counted.map((sums) => [day(sums), sums]))
  const wrong = kept.filter((sums) => !isDeepStrictEqual(sums, known.get(day(sums))))
  return {
    figures: {
      'purchases acknowledged': acknowledged.size,
      'purchases in the database': rows.length,
      'purchases made for buyers who had given up': rows.filter(({ key }) => !acknowledged.has(key)).length,
      'receipts sent more than once': [...receipts.values()].filter((count) => count > 1).length,
    },
    violations: {
      'acknowledged purchases lost': [...acknowledged].filter((promise) => !isKept(promise)).length,
      'purchases made twice': rows.length - new Set(rows.map(({ key }) => key)).size + contradicted.length,
      'purchases nobody asked for': rows.filter(({ key }) => !asked.has(key)).length,
      'purchases without a receipt': rows.filter(({ id }) => !receipts.has(id)).length,
      'receipts without a purchase': [...receipts.keys()].filter((id) => !byId.has(id)).length,
      'days whose sums are wrong': wrong.length + Math.abs(kept.length - counted.length),
      'readers whose sums are wrong': wrongReaders.length,
    },
  }
}
