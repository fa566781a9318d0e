// Operators who write to the purchases by SQL, several at once, while people buy: rows are deleted, moved, given back.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { createLog } from '#platform/log.ts'
import type { Random } from './random.ts'

/** Ids of the purchases that are no longer as their buyers were told, or might not be. */
export type Touched = { changed: Set<string>; deleted: Set<string>; actions: Map<string, number> }

export type Operators = { touched: Touched; finish(): Promise<void> }

const operators = 3

const moves = {
  'moved to another day': `created_at = created_at - random() * interval '40 days'`,
  'moved to another product': `product_id = (select id from products order by random() limit 1)`,
  'moved to another user': `user_id = (select user_id from profiles order by random() limit 1)`,
  canceled: `status = 'canceled'`,
  'given another price': `amount = amount + 1.01`,
} as const

const refund = `
  with given as (
    insert into adjustments (id, purchase_id, kind, amount)
    select gen_random_uuid(), id, 'refund', -least(amount - refunded, 3.33) from purchases
    where id = any($1) and status in ('completed', 'partially_refunded') and refunded < amount
    returning purchase_id
  )
  select from given`
const called = `
  update purchases set status = case when refunded < amount then 'partially_refunded' else 'refunded' end
  where id = any($1) and refunded > 0 and status in ('completed', 'partially_refunded')`

export async function sendOperators(dataDir: string, random: Random): Promise<Operators> {
  const touched: Touched = { changed: new Set(), deleted: new Set(), actions: new Map() }
  const closing = new AbortController()
  const postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
  const database = openDatabase(postgres.url, { max: operators })

  const actions: Record<string, (ids: string[]) => Promise<void>> = {
    ...Object.fromEntries(Object.entries(moves).map(([name, set]) => [name, (ids) => change(ids, set)])),
    'given back': (ids) => refundPurchases(database, ids),
    deleted: async (ids) => {
      for (const id of ids) touched.deleted.add(id)
      await database.pool.query('delete from purchases where id = any($1)', [ids])
    },
  }

  async function change(ids: string[], set: string): Promise<void> {
    await database.pool.query(`update purchases set ${set} where id = any($1)`, [ids])
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      const name = random.of(Object.keys(actions))
      // A dead database, a lock held the other way round: an operator would try something again, later.
      await submitAction(name).catch(() => undefined)
      await sleep(random.between(20, 200))
    }
  }

  async function submitAction(name: string): Promise<void> {
    const ids = await pick()
    if (ids.length === 0) return
    for (const id of ids) touched.changed.add(id)
    await actions[name]!(ids)
    touched.actions.set(name, (touched.actions.get(name) ?? 0) + 1)
  }

  /** Out of the latest few, so that operators meet each other, and buyers. */
  async function pick(): Promise<string[]> {
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from (select id from purchases order by created_at desc limit 30) latest order by random() limit $1`,
      [Math.ceil(random.between(0, 4))],
    )
    return rows.map(({ id }) => id)
  }

  const running = Array.from({ length: operators }, work)
  return {
    touched,
    async finish() {
      closing.abort()
      await Promise.all(running)
      await database.close()
      await postgres.stop()
    },
  }
}

/** As the shop does it: the row first, so that the one that waits sees what was given meanwhile. */
async function refundPurchases({ pool }: Pick<Database, 'pool'>, ids: string[]): Promise<void> {
  const client = await pool.connect()
  let failure: unknown
  try {
    await client.query('begin')
    await client.query('select from purchases where id = any($1) order by id for update', [ids])
    await client.query(refund, [ids])
    await client.query(called, [ids])
    await client.query('commit')
  } catch (error) {
    failure = error
    throw error
  } finally {
    // One that failed goes, with whatever it has begun.
    client.release(failure !== undefined)
  }
}
