// What the shop knows of a purchase and its checkout before it asks the provider.
import { eq } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import { purchases } from '../purchases/schema.ts'
import type { Services } from '../../services.ts'

export const isUnpaid = ({ status }: Known) => status === 'pending' || status === 'canceled'

export type Known = NonNullable<Awaited<ReturnType<typeof findCheckout>>>

export async function findCheckout(db: Services['db'] | Transaction, purchase_id: string) {
  const [row] = await db
    .select({
      id: purchases.id,
      product_id: purchases.product_id,
      amount: purchases.amount,
      refunded: purchases.refunded,
      status: purchases.status,
      created_at: purchases.created_at,
      session_id: checkouts.session_id,
      attempt: checkouts.attempt,
      held_reason: checkouts.held_reason,
      dismissed_at: checkouts.dismissed_at,
      checks: checkouts.checks,
      is_live: checkouts.is_live,
    })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .where(eq(purchases.id, purchase_id))
  return row
}

/** Locked first and looked at afterwards: whoever had to wait sees all that was written meanwhile, also of the checkout. */
export async function lockCheckout(tx: Transaction, purchase_id: string) {
  await tx.select({ id: purchases.id }).from(purchases).where(eq(purchases.id, purchase_id)).for('update')
  return findCheckout(tx, purchase_id)
}
