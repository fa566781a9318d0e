import { and, eq, isNull, sql } from 'drizzle-orm'
import { wasPaid, type PurchaseStatus } from '#contract/orders/purchases.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from '#tables/payments.ts'
import { purchases } from '#tables/purchases.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Services } from '#platform/services.ts'
import { lockCheckout, type CheckoutRecord } from './checkout-record.ts'
import type { Checkout, ReportedAdjustment } from '#platform/stripe/payments.ts'
import { saveCharge } from '#domains/orders/charges.ts'
import { insertPaidAddress } from '#domains/orders/address.ts'
import { limitProof } from '#domains/orders/purchase-access.ts'
import { lockUsedCode, setUseCounted } from '#domains/orders/apply-discount.ts'
import { takeCopies } from '#domains/catalog/stock.ts'
import { receiptJob } from '#domains/orders/receipts.ts'
import { nextInvoiceCheck } from './next-check.ts'
import { saveAdjustments } from './save-adjustments.ts'
import { disputedFirst } from './payment-states.ts'
import { refundMailJob } from './refund-email-job.ts'

const nothingPending = { next_check_at: null, held_reason: null, dismissed_at: null, asked: null }

export async function cancel(tx: Transaction, purchase_id: string): Promise<PurchaseStatus> {
  const record = await lockCheckout(tx, purchase_id)
  if (!record) throw orderProblem('purchases.not_found')
  if (wasPaid(record.status)) return record.status
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, purchase_id))
  await tx.update(checkouts).set(nothingPending).where(eq(checkouts.purchase_id, purchase_id))
  return 'canceled' as const
}

export async function cancelTests(tx: Transaction) {
  const open = await tx
    .select({ id: purchases.id })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .where(and(eq(purchases.status, 'pending'), eq(checkouts.is_live, false)))
    .orderBy(purchases.id)
  for (const { id } of open) await cancel(tx, id)
}

// False when it was paid or dismissed, another attempt began, or a checkout is stored.
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

const notHeld = { held_reason: null, dismissed_at: null, paid_total: null, paid_currency: null }

type Paid = Pick<CheckoutRecord, 'id' | 'created_at' | 'shipping'>

/** The purchase's row must be locked. */
export async function complete(services: Services, tx: Transaction, record: Paid, checkout: Checkout) {
  const { queue } = services
  const { id: purchase_id } = record
  const { total: amount, address } = checkout
  const paid = { status: 'completed', amount, country: countryOf(checkout) } as const
  await tx.update(purchases).set(paid).where(eq(purchases.id, purchase_id))
  await savePaid(services, tx, record, checkout)
  // The author may accept a payment after the last copy was sold.
  await takeCopies(tx, purchase_id)
  // A trigger has inserted the shipment with the new status.
  if (address) await insertPaidAddress(tx, purchase_id, address)
  await queue.enqueue(tx, receiptJob, { purchase_id })
  return saveAdjustments(tx, queue, purchase_id, checkout.reportedAdjustments)
}

// All money went back before the shop saw the payment: no receipt, no parcel; triggers return the copies.
export async function completeReturned(
  services: Services,
  tx: Transaction,
  record: Paid,
  checkout: Checkout,
) {
  const { id: purchase_id } = record
  await lockUsedCode(tx, purchase_id)
  await tx
    .update(purchases)
    .set({ status: 'refunded', amount: checkout.total, country: countryOf(checkout) })
    .where(eq(purchases.id, purchase_id))
  await setUseCounted(tx, purchase_id, false)
  await savePaid(services, tx, record, checkout)
  return saveAdjustments(tx, services.queue, purchase_id, checkout.reportedAdjustments)
}

/** Undefined leaves the one that is known. */
function countryOf({ address, payer_country }: Checkout) {
  return address?.country || payer_country || undefined
}

async function savePaid(services: Services, tx: Transaction, record: Paid, checkout: Checkout) {
  const { subtotal, tax, discount, payment_intent, invoice_url, address } = checkout
  const paid = { subtotal, tax, discount, payment_intent, invoice_url, ...disputeOf(checkout) }
  const next_check_at = nextInvoiceCheck(services, { ...record, checks: 0 }, checkout)
  await tx
    .update(checkouts)
    .set({ ...paid, ...notHeld, next_check_at, checks: 0, asked: null })
    .where(eq(checkouts.purchase_id, record.id))
  // Not while a payment is held: the day would pass before the author has decided.
  await limitProof(tx, record.id, services.clock())
  // Another price of shipping is paid where the author accepts a payment that does not fit.
  const amount = checkout.shipping ?? 0n
  if (amount !== (record.shipping ?? 0n))
    await saveCharge(tx, { purchase_id: record.id, country: address?.country ?? null, amount })
}

export function disputeOf({ answer_by, disputed_at, dispute_status }: Checkout) {
  return { answer_by, disputed_at, dispute_status }
}

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

// The buyer can buy again. Money may have been taken, so the provider is asked again, in case the right key is back.
export async function holdUnknown({ log }: Services, tx: Transaction, { id, session_id }: CheckoutRecord) {
  log.error({ purchase_id: id, session_id }, 'the provider does not know a checkout')
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
  await tx
    .update(checkouts)
    .set({ held_reason: unknownCheckout, url: null })
    .where(eq(checkouts.purchase_id, id))
  return 'canceled' as const
}

/** The bank notifies the buyer of a dispute; the shop notifies of a refund, once. */
export async function release({ queue }: Services, tx: Transaction, mismatch: Mismatch) {
  const { record, reason, checkout } = mismatch
  const { id } = record
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
  await tx
    .update(checkouts)
    .set({ ...paidOf(reason, checkout), dismissed_at: sql`now()` })
    .where(eq(checkouts.purchase_id, id))
  const isRefund = ({ kind, isReversed }: ReportedAdjustment) => kind === 'refund' && !isReversed
  if (checkout.reportedAdjustments.some(isRefund))
    await queue.enqueue(tx, refundMailJob, { held_purchase_id: id })
  return 'canceled' as const
}

function paidOf(held_reason: string, checkout: Checkout) {
  const { payment_intent, total: paid_total, currency: paid_currency } = checkout
  const dispute = held_reason === disputedFirst && disputeOf(checkout)
  return { held_reason, payment_intent, paid_total, paid_currency, ...dispute, next_check_at: null }
}
