// A user's own purchases, page by page, with their totals.
import { and, desc, eq, ne, or, sql, type SQL } from 'drizzle-orm'
import type { OwnPurchases, OwnPurchasesRequest } from './contract/purchases.ts'
import type { Db } from '#platform/db/client.ts'
import { products } from '../products/schema.ts'
import { purchases } from './schema.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import { selectPurchases, toPurchase } from './purchases.ts'

const pageSize = 50

/** A checkout that was left was no purchase; its buyer may still wonder what became of it. */
const canceledShown = '7 days'

/** Newest first; a canceled one for some days only, and not where the same was bought after all. */
export async function listOwnPurchases(
  db: Db,
  user_id: string,
  { after, gives }: OwnPurchasesRequest,
): Promise<OwnPurchases> {
  const isFresh = sql`${purchases.created_at} > now() - ${canceledShown}::interval and not exists (
    select from purchases later where later.user_id = ${purchases.user_id}
      and later.product_id = ${purchases.product_id} and later.created_at > ${purchases.created_at})`
  const place = readCursor(after, momentKey)
  const isAfter =
    place && sql`(${purchases.created_at}, ${purchases.id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`
  const isShown = gives ? givesProduct(gives) : or(ne(purchases.status, 'canceled'), isFresh)
  const [rows, totals] = await Promise.all([
    selectPurchases(db)
      .where(and(eq(purchases.user_id, user_id), isShown, isAfter))
      .orderBy(desc(purchases.created_at), desc(purchases.id))
      .limit(pageSize + 1),
    countOwn(db, user_id),
  ])
  return { ...toPage(rows, pageSize, { item: toPurchase, key: (row) => [row.place, row.id] }), totals }
}

function givesProduct(product_id: string): SQL {
  return sql`${isEntitled(sql`${purchases}`)} and (
    ${purchases.product_id} = ${product_id}
    or ${products.format} = 'bundle' and exists (
      select from bundle_items i where i.bundle_id = ${purchases.product_id} and i.product_id = ${product_id}))`
}

async function countOwn(db: Db, user_id: string): Promise<OwnPurchases['totals']> {
  const [counts] = await db
    .select({
      purchases: sql<number>`count(*)`,
      digital: sql<number>`count(*) filter (where ${products.is_digital})`,
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .where(and(eq(purchases.user_id, user_id), ne(purchases.status, 'canceled')))
  return counts ?? { purchases: 0, digital: 0 }
}
