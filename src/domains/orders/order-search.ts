import { sql, type SQL } from 'drizzle-orm'
import { parseOrderNumber } from '#contract/orders/order-number.ts'
import type { OrderListRequest } from '#contract/payments/orders.ts'
import type { Db } from '#platform/db/client.ts'
import { containing } from '#platform/http/cursors.ts'
import { findUsers, isFitting } from '#domains/accounts/user-search.ts'
import { midnight } from '#platform/db/days.ts'
import { products as productTable } from '#tables/products.ts'

export type Walk = {
  after: readonly [at: string, id: string] | undefined
  way: 'asc' | 'desc'
  limit: number
  without?: number | undefined
}

type Walker = (isOne: SQL) => SQL

/** Users and products are looked up once for all pages; each way of finding ends after a page. */
export async function searchOrders(
  db: Db,
  { q, ...filters }: Omit<OrderListRequest, 'after'>,
  timeZone: string,
): Promise<(walk: Walk) => SQL> {
  const narrowed = narrowing(filters, timeZone)
  const find = q ? await waysToFind(db, q) : (walk: Walker) => [walk(sql`true`)]
  return ({ after, way, limit, without }) => {
    const [direction, side] = way === 'desc' ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
    const isAfter = after
      ? sql`(b.created_at, b.id) ${side} (${after[0]}::timestamptz, ${after[1]}::uuid)`
      : sql`true`
    const isOther = without === undefined ? sql`true` : sql`b.number <> ${without}`
    const inOrder = sql`order by b.created_at ${direction}, b.id ${direction} limit ${limit}`
    const found = find(
      (isOne) => sql`
        (select b.* from purchases b where ${isOne} and ${narrowed} and ${isOther} and ${isAfter} ${inOrder})`,
    )
    return sql`select * from (${sql.join(found, sql` union `)}) b ${inOrder}`
  }
}

function narrowing(
  { status, format, user_id, from, to }: Omit<OrderListRequest, 'q' | 'after'>,
  timeZone: string,
): SQL {
  const all = [
    status && sql`b.status = ${status}`,
    format && sql`b.product_id in (select id from products where format = ${format})`,
    user_id && sql`b.user_id = ${user_id}`,
    from && sql`b.created_at >= ${midnight(from, timeZone)}`,
    to && sql`b.created_at < ${midnight(to, timeZone, 1)}`,
  ].filter((part) => part !== undefined)
  return all.length > 0 ? sql.join(all, sql` and `) : sql`true`
}

async function waysToFind(db: Db, q: string): Promise<(walk: Walker) => SQL[]> {
  const number = parseOrderNumber(q)
  const isOrder = number !== undefined && sql`b.number = ${number}`
  // Nothing else is written with "#".
  if (isOrder && q.includes('#')) return (walk) => [walk(isOrder)]
  const [products, buyers] = await Promise.all([
    db
      .select({ id: productTable.id })
      .from(productTable)
      .where(sql`searchable(${productTable.name}) like searchable(${containing(q)})`),
    findUsers(db, q),
  ])
  const productIds = products.map(({ id }) => id)
  const range = idRange(q)
  return (walk) => {
    const each = (column: SQL, ids: string[]) => sql`
      select x.* from unnest(${sql.param(ids)}::uuid[]) wanted
      cross join lateral ${walk(sql`${column} = wanted`)} x`
    const isOfBuyer = sql`exists (select from profiles p where p.user_id = b.user_id and ${isFitting(q)})`
    const byBuyer = buyers ? each(sql`b.user_id`, buyers) : walk(isOfBuyer)
    const isOfGuest = sql`b.user_id is null and b.id in (
      select purchase_id from guest_checkouts where email ilike ${containing(q)})`
    const byId = range && walk(sql`b.id between ${range[0]} and ${range[1]}`)
    const byNumber = isOrder && walk(isOrder)
    const ids = [byId, byNumber].filter((way) => way !== undefined && way !== false)
    return [each(sql`b.product_id`, productIds), byBuyer, walk(isOfGuest), ...ids]
  }
}

function idRange(q: string): [string, string] | undefined {
  const digits = q.trim().toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{6,32}$/.test(digits)) return undefined
  const whole = (filler: string) =>
    digits.padEnd(32, filler).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return [whole('0'), whole('f')]
}
