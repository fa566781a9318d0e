// The record of a checkout, by which its payment is decided: read, and locked.
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import type { Services } from '#platform/services.ts'
import { checkouts } from '#tables/payments.ts'
import { purchases, shopCurrency, shipping_charges } from '#tables/orders.ts'

export const paidCurrency = sql<string>`coalesce(${checkouts.paid_currency}, ${purchases.currency})`

const hasCopies = sql<boolean>`exists (select from taken_copies t where t.purchase_id = ${purchases.id})`

export type CheckoutRecord = NonNullable<Awaited<ReturnType<typeof findCheckout>>>

export async function findCheckout(db: Services['db'] | Transaction, purchase_id: string) {
  const [record] = await db
    .select({
      id: purchases.id,
      /** Null until the payment, of a purchase with an address only. */
      user_id: purchases.user_id,
      product_id: purchases.product_id,
      amount: purchases.amount,
      /** The buyer was told so. */
      seller: purchases.seller,
      refunded: purchases.refunded,
      /** A test order may have been made in another currency. */
      shop_currency: shopCurrency,
      status: purchases.status,
      created_at: purchases.created_at,
      session_id: checkouts.session_id,
      attempt: checkouts.attempt,
      held_reason: checkouts.held_reason,
      dismissed_at: checkouts.dismissed_at,
      /** The last that the shop heard of the dispute that decides: an open one, else one that was lost. */
      disputed_at: checkouts.disputed_at,
      dispute_status: checkouts.dispute_status,
      checks: checkouts.checks,
      is_live: checkouts.is_live,
      shipping: shipping_charges.amount,
      has_copies: hasCopies,
      /** A copy, or a use of a limited discount code: nobody else can have it meanwhile. */
      is_reserving: sql<boolean>`(${hasCopies} or exists (
        select from discount_uses u join discount_codes c on c.id = u.code_id
        where u.purchase_id = ${purchases.id} and u.is_counted and c.max_uses is not null))`,
    })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .where(eq(purchases.id, purchase_id))
  return record
}

/** Locks first and reads afterwards: a transaction that had to wait sees what was committed meanwhile. */
export async function lockCheckout(tx: Transaction, purchase_id: string) {
  await tx.select({ id: purchases.id }).from(purchases).where(eq(purchases.id, purchase_id)).for('update')
  return findCheckout(tx, purchase_id)
}
