// A purchase that the author gives: completed, and nothing was paid for it.
import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { Problem } from '../../problems.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import { deliveryGap } from '../products/delivery.ts'
import { isCounted, takeCopies } from '../stock/take-copies.ts'
import { purchases } from './schema.ts'

type Own = { user_id: string; product_id: string }

/** Its id. Also of a product that is hidden. Throws stock.sold_out, and products.not_found when it cannot be delivered. */
export async function givePurchase(tx: Transaction, { user_id, product_id }: Own): Promise<string> {
  const query = sql`
    with product as (select id, ${isCounted} as is_counted from products where id = ${product_id} and ${deliveryGap} is null),
    made as (
      insert into purchases (id, user_id, product_id, amount, status, is_given)
      select ${uuidv7()}::uuid, ${user_id}, product.id, 0, 'completed', true from product
      returning id
    )
    select made.id, product.is_counted from made, product`
  const made = await queryFirst(tx, z.object({ id: z.string(), is_counted: z.boolean() }), query)
  if (!made) throw new Problem('products.not_found')
  if (made.is_counted && !(await takeCopies(tx, made.id))) throw new Problem('stock.sold_out')
  return made.id
}

/** Whether a purchase of this very product entitles the user to it. */
export async function hasPurchase(db: Db | Transaction, { user_id, product_id }: Own): Promise<boolean> {
  const isIt = and(
    eq(purchases.user_id, user_id),
    eq(purchases.product_id, product_id),
    isEntitled(sql`${purchases}`),
  )
  return (await db.$count(purchases, isIt)) > 0
}
