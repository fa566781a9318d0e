// Payments that complete nothing until the author has decided; resolve-held-payment.ts has what the author can do with them.
import { eq, sql } from 'drizzle-orm'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { PurchaseStatus } from '../purchases/contract/purchases.ts'
import { checkouts } from './schema.ts'
import { purchases } from '../purchases/schema.ts'
import type { Services } from '../../services.ts'
import type { CheckoutRecord } from './checkout-record.ts'
import { disputedFirst } from './payment-states.ts'
import { refundMailJob } from './refund-email-job.ts'

type Mismatch = { record: CheckoutRecord; reason: string; checkout: Checkout }

export const unknownCheckout =
  'Stripe does not know its checkout. Was it opened with the key of another account?'

export async function hold(tx: Transaction, { record, reason, checkout }: Mismatch): Promise<PurchaseStatus> {
  await tx
    .update(checkouts)
    .set({ ...paidOf(reason, checkout), url: null })
    .where(eq(checkouts.purchase_id, record.id))
  return record.status
}

/**
 * For a checkout of another account, or of test data that was deleted. The purchase is over, so that the buyer can buy
 * anew. Money may have been taken, so the author is told, and the provider is asked again in case the right key is back.
 */
export async function holdUnknown(
  { log }: Pick<Services, 'log'>,
  tx: Transaction,
  { id, session_id }: CheckoutRecord,
): Promise<PurchaseStatus> {
  log.error({ purchase_id: id, session_id }, 'the provider does not know a checkout')
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
  await tx
    .update(checkouts)
    .set({ held_reason: unknownCheckout, url: null })
    .where(eq(checkouts.purchase_id, id))
  return 'canceled'
}

/**
 * Ends a held payment whose money went back, by the author or at the provider, and tells its buyer once; not of a dispute,
 * of which the bank tells.
 */
export async function release(
  { queue }: Pick<Services, 'queue'>,
  tx: Transaction,
  { record: { id }, reason, checkout }: Mismatch,
): Promise<PurchaseStatus> {
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
  await tx
    .update(checkouts)
    .set({ ...paidOf(reason, checkout), dismissed_at: sql`now()` })
    .where(eq(checkouts.purchase_id, id))
  const isRefunded = checkout.reportedAdjustments.some(
    ({ kind, isReversed }) => kind === 'refund' && !isReversed,
  )
  if (isRefunded) await queue.enqueue(tx, refundMailJob, { held_purchase_id: id })
  return 'canceled'
}

function paidOf(held_reason: string, { payment_intent, total, currency, ...checkout }: Checkout) {
  const { answer_by, disputed_at, dispute_status } = checkout
  const paid = { payment_intent, paid_total: total, paid_currency: currency }
  const dispute = held_reason === disputedFirst && { answer_by, disputed_at, dispute_status }
  return { held_reason, ...paid, ...dispute, next_check_at: null }
}
