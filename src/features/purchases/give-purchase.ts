// A purchase that the author gives: completed, and nothing was paid for it.
import { and, eq, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import { deliveryGap } from '../products/product-columns.ts'
import { insertRow, requireCopies } from './insert-purchase.ts'
import { purchases } from './schema.ts'

type Own = { user_id: string; product_id: string }

/** Its id. Also of a product that is hidden. */
export async function givePurchase(tx: Transaction, own: Own): Promise<string> {
  const isAllowed = sql`${deliveryGap} is null`
  const made = await insertRow(tx, { ...own, amount: sql`0`, status: 'completed', is_given: true, isAllowed })
  if (!made) throw new Problem('products.not_found')
  await requireCopies(tx, made)
  return made.id
}

/** Whether a purchase of this very product entitles the user to it. */
export async function hasPurchase(db: Db | Transaction, { user_id, product_id }: Own): Promise<boolean> {
  const matches = and(
    eq(purchases.user_id, user_id),
    eq(purchases.product_id, product_id),
    isEntitled(sql`${purchases}`),
  )
  return (await db.$count(purchases, matches)) > 0
}
