// Ends purchases that nobody can pay any more. What was paid meanwhile stays paid.
import { and, eq, isNull } from 'drizzle-orm'
import { wasPaid, type PurchaseStatus } from '../purchases/contract/purchases.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { lockCheckout, type CheckoutRecord } from './checkout-record.ts'

const nothingPending = { next_check_at: null, held_reason: null, dismissed_at: null, asked: null }

export async function cancel(tx: Transaction, purchase_id: string): Promise<PurchaseStatus> {
  const record = await lockCheckout(tx, purchase_id)
  if (!record) throw new Problem('purchases.not_found')
  if (wasPaid(record.status)) return record.status
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, purchase_id))
  await tx.update(checkouts).set(nothingPending).where(eq(checkouts.purchase_id, purchase_id))
  return 'canceled'
}

/** Where no key is left to ask for them. */
export async function cancelTests(tx: Transaction): Promise<void> {
  const open = await tx
    .select({ id: purchases.id })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .where(and(eq(purchases.status, 'pending'), eq(checkouts.is_live, false)))
    .orderBy(purchases.id)
  for (const { id } of open) await cancel(tx, id)
}

/**
 * Cancels a purchase without a stored checkout: one that this attempt has made, or is just making, is then never stored
 * or shown. False when it is paid or dismissed, another attempt has begun, or a checkout is stored.
 */
export async function cancelUnopened(
  db: Services['db'],
  { id, attempt }: Pick<CheckoutRecord, 'id' | 'attempt'>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const record = await lockCheckout(tx, id)
    if (!record || wasPaid(record.status) || record.dismissed_at) return false
    // Storing a checkout does not lock its purchase.
    const isUnopened = and(isNull(checkouts.session_id), eq(checkouts.attempt, attempt))
    const { rowCount } = await tx
      .update(checkouts)
      .set({ ...nothingPending, attempt: attempt + 1 })
      .where(and(eq(checkouts.purchase_id, id), isUnopened))
    if (!rowCount) return false
    await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
    return true
  })
}
