import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { isoTime, queryAll } from '#platform/db/query.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { ownedEditions } from '#domains/catalog/product-columns.ts'
import { purchases } from '#tables/purchases.ts'
import { ownEdition, type OwnEdition } from '#contract/delivery/editions.ts'

const row = ownEdition.extend({ created_at: isoTime })

/** Newest first; empty for a purchase that gives nothing any more. */
export async function listOwnEditions(
  db: Db,
  { user_id, purchase_id }: { user_id: string; purchase_id: string },
): Promise<OwnEdition[]> {
  const isOwn = and(eq(purchases.id, purchase_id), eq(purchases.user_id, user_id))
  if ((await db.$count(purchases, isOwn)) === 0) throw orderProblem('purchases.not_found')
  return queryAll(
    db,
    row,
    sql`
      select owned.product_id, owned.title, owned.file_format, owned.edition, owned.changes, owned.created_at, owned.is_lost
      from purchases join products on products.id = purchases.product_id, lateral ${ownedEditions} owned
      where ${isOwn} and ${isEntitled(sql`purchases`)}
      order by owned.created_at desc, owned.file_format, owned.product_id`,
  )
}
