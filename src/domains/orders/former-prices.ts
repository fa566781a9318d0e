// The former price that may stand struck out beside a price with a code: Directive 98/6, article 6a, as the Court reads it in
// C-330/23. It is the lowest of the thirty days that end where the code's reduction began, also one with another code for
// everybody.
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import type { Cents } from '#contract/money.ts'
import { takenOff } from '#contract/orders/prices.ts'
import type { Db } from '#platform/db/client.ts'
import { cents, queryAll } from '#platform/db/query.ts'
import { discount_codes } from '#tables/orders.ts'

/** A price of those days, for how long it was in force, and the other codes of that time. */
const offeredPrice = z.object({
  product_id: z.string(),
  price: cents,
  ms: z.number(),
  codes: z.array(z.object({ percent: z.number().nullable(), amount_off: cents.nullable() })),
})

/**
 * Keys are products. One that was not for sale for a whole day before has none. Null for a code that can be used once: it is
 * personal, and announces nothing.
 */
export async function findFormerPrices(
  db: Db,
  code_id: string,
  currency: string,
): Promise<Map<string, Cents> | null> {
  const { max_uses, resumed_at, created_at } = discount_codes
  const [code] = await db
    .select({ max_uses, began_at: sql<Date>`coalesce(${resumed_at}, ${created_at})`.mapWith(created_at) })
    .from(discount_codes)
    .where(eq(discount_codes.id, code_id))
  if (!code || code.max_uses === 1) return null
  const lowest = new Map<string, { price: Cents; ms: number }>()
  for (const { product_id, price, ms, codes } of await readOffered(db, code_id, code.began_at)) {
    const others = codes.map((other) => price - takenOff(price, other, currency))
    const before = lowest.get(product_id)
    const all = [price, ...others, ...(before ? [before.price] : [])]
    lowest.set(product_id, { price: all.reduce(lower), ms: ms + (before?.ms ?? 0) })
  }
  return new Map([...lowest].flatMap(([id, { price, ms }]) => (ms < dayMs ? [] : [[id, price] as const])))
}

const lower = (one: Cents, other: Cents) => (other < one ? other : one)

/** A code that was used up counts until it ended: when it was used up is not known. */
function readOffered(db: Db, code_id: string, until: Date) {
  const since = sql`(${until}::timestamptz - interval '30 days')`
  return queryAll(
    db,
    offeredPrice,
    sql`
    select p.product_id, p.price, (extract(epoch from p.ends - p.begins) * 1000)::float8 as ms, coalesce((
      select jsonb_agg(jsonb_build_object('percent', c.percent, 'amount_off', c.amount_off))
      from discount_codes c
      where c.id <> ${code_id} and coalesce(c.max_uses > 1, true)
        and (c.product_id is null or c.product_id = p.product_id) and c.created_at < p.ends
        and coalesce(least(c.ended_at, c.paused_at) > p.begins, true)
        and coalesce(c.ends_on >= shop_day(greatest(c.created_at, p.begins)), true)
    ), '[]') as codes
    from (
      select product_id, price, greatest(since, ${since}) as begins, least(until, ${until}::timestamptz) as ends
      from product_prices
      where currency = shop_currency() and since < ${until} and coalesce(until > ${since}, true)
    ) p`,
  )
}
