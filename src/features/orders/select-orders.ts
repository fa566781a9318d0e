// Purchases with their products and buyers, as the lists of the admin area show them.
import { eq } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { profiles } from '../accounts/schema.ts'
import { discount_codes, discount_uses } from '../discounts/schema.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'
import type { Order } from './contract/admin-order.ts'

/** Its rows become orders by `toOrder`. */
export function selectOrders(db: Db) {
  return db
    .select({
      id: purchases.id,
      number: purchases.number,
      amount: purchases.amount,
      refunded: purchases.refunded,
      currency: purchases.currency,
      status: purchases.status,
      is_test: purchases.is_test,
      is_given: purchases.is_given,
      code: discount_codes.code,
      created_at: purchases.created_at,
      user_id: purchases.user_id,
      email: profiles.email,
      display_name: profiles.display_name,
      product: { id: products.id, name: products.name, format: products.format },
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .leftJoin(discount_codes, eq(discount_codes.id, discount_uses.code_id))
}

type OrderRow = Omit<Order, 'created_at'> & { created_at: Date }

export function toOrder({ created_at, ...row }: OrderRow): Order {
  return { ...row, created_at: created_at.toISOString() }
}
