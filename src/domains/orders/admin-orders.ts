// Orders as the admin area lists them.
import { desc, eq, sql, type SQL } from 'drizzle-orm'
import { fromCents } from '#contract/money.ts'
import type { Page } from '#contract/fields.ts'
import type { Order, OrderListRequest } from '#contract/orders/admin-orders.ts'
import { formatOrderNumber, parseOrderNumber } from '#contract/orders/order-number.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import type { Db } from '#platform/db/client.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { profiles } from '#tables/accounts.ts'
import { products } from '#tables/catalog.ts'
import { purchases, guest_checkouts, discount_codes, discount_uses } from '#tables/orders.ts'
import { isShownAsTest } from './entitlements.ts'
import { buyerEmail } from './guest-orders.ts'
import { searchOrders } from './purchases.ts'

const pageSize = 50

export async function listOrders(
  { db, settings }: BookShop,
  { after, ...wanted }: OrderListRequest,
): Promise<Page<Order>> {
  const place = readCursor(after, momentKey)
  const without = parseOrderNumber(wanted.q ?? '')
  const { time_zone } = settings.get().shop
  const search = await searchOrders(db, wanted, time_zone)
  const orders = await readOrders(db, search({ after: place, way: 'desc', limit: pageSize + 1, without }))
  const numbered = place || without === undefined ? [] : await findNumbered(without)
  return toPage([...numbered, ...orders], pageSize, { item: toOrder, key: (row) => [row.place, row.id] })

  async function findNumbered(number: number) {
    const exact = await searchOrders(db, { ...wanted, q: formatOrderNumber(number) }, time_zone)
    return readOrders(db, exact({ after: undefined, way: 'desc', limit: 1 }))
  }
}

function readOrders(db: Db, ids: SQL) {
  return selectOrders(db)
    .where(sql`${purchases.id} in (select id from (${ids}) found)`)
    .orderBy(desc(purchases.created_at), desc(purchases.id))
}

export function selectOrders(db: Db) {
  return db
    .select({
      id: purchases.id,
      number: purchases.number,
      amount: purchases.amount,
      refunded: purchases.refunded,
      currency: purchases.currency,
      status: purchases.status,
      is_test: isShownAsTest(sql`${purchases}`),
      is_given: purchases.is_given,
      is_received: sql<boolean>`${purchases.gift_of} is not null`,
      code: discount_codes.code,
      created_at: purchases.created_at,
      /** Text, as a Date would lose the microseconds. */
      place: sql<string>`${purchases.created_at}::text`,
      user_id: purchases.user_id,
      email: buyerEmail,
      display_name: profiles.display_name,
      product: { id: products.id, name: products.name, format: products.format },
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .leftJoin(guest_checkouts, eq(guest_checkouts.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .leftJoin(discount_codes, eq(discount_codes.id, discount_uses.code_id))
}

type OrderRow = Awaited<ReturnType<typeof selectOrders>>[number]

export function toOrder({ created_at, place: _place, ...row }: OrderRow): Order {
  const amounts = { amount: fromCents(row.amount), refunded: fromCents(row.refunded) }
  return { ...row, ...amounts, created_at: created_at.toISOString() }
}
