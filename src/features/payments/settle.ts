// The one way in which a payment changes a purchase. Webhooks, returning buyers and the reconciler all call this; each
// call asks the provider anew, so their order does not matter. payment-states.ts decides what becomes of the purchase.
import { eq } from 'drizzle-orm'
import { wasPaid, type PurchaseStatus } from '../purchases/contract/purchases.ts'
import type { Checkout, Payments } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { cancel, cancelUnopened } from './cancel-purchase.ts'
import { findCheckout, lockCheckout, type CheckoutRecord } from './checkout-record.ts'
import { complete, completeReturned } from './complete-purchase.ts'
import { recordFailedRefunds } from './failed-refunds.ts'
import { hold, holdUnknown, release, unknownCheckout } from './hold-payment.ts'
import { nextInvoiceCheck, oneMoreCheck, updateNextCheck } from './next-check.ts'
import { lockUsedCode } from '../discounts/apply-discount.ts'
import { takeCopies } from '../stock/stock.ts'
import {
  findHoldReason,
  isOverdue,
  ownEventOf,
  providerEventOf,
  stateOf,
  stepAfter,
  type Step,
} from './payment-states.ts'
import { saveAdjustments } from './save-adjustments.ts'
import { refundMailJob } from './refund-email-job.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'payments' | 'config' | 'settings' | 'clock' | 'log'>

/**
 * Brings a purchase to what the provider says of its checkout; safe to repeat, also concurrently. A payment that does
 * not fit the purchase is held for the author and completes nothing. Returns the status, undefined for a purchase
 * without a checkout.
 */
export async function settlePurchase(
  services: Needs,
  purchase_id: string,
  { isBrief }: { isBrief?: boolean } = {},
): Promise<PurchaseStatus | undefined> {
  const { db, clock } = services
  const payments = services.payments.current()
  const record = await findCheckout(db, purchase_id)
  if (!record || !payments) return record?.status
  const event = ownEventOf(record, payments.isLive, clock())
  if (event || !record.session_id) return settleUnasked(services, record, event)
  const checkout = await readOrEnd(
    payments,
    { ...record, session_id: record.session_id },
    { isBrief, now: clock() },
  )
  if (checkout?.status === 'open' && !wasPaid(record.status) && !record.held_reason) {
    // The most frequent case: nothing to settle yet, so no transaction and no lock.
    await updateNextCheck(db, services, record)
    return record.status
  }
  return db.transaction((tx) => settle(services, tx, { purchase_id, checkout }))
}

/** One that reserves a copy or a code's use for too long is ended first; what is paid at that moment stays paid. */
async function readOrEnd(
  payments: Payments,
  record: CheckoutRecord & { session_id: string },
  { isBrief, now }: { isBrief: boolean | undefined; now: Date },
): Promise<Checkout | undefined> {
  const { session_id, is_reserving, status } = record
  const read = () => payments.readCheckout(session_id, { isBrief })
  const checkout = await read()
  const isReserved = is_reserving && status === 'pending' && checkout?.status === 'open'
  if (!isReserved || !isOverdue(record, now)) return checkout
  await payments.endCheckout(session_id)
  return read()
}

async function settleUnasked(
  services: Needs,
  record: CheckoutRecord,
  event: ReturnType<typeof ownEventOf>,
): Promise<PurchaseStatus> {
  const { db } = services
  if (event && stepAfter(stateOf(record), event) === 'cancel') {
    if (event === 'test_left') return db.transaction((tx) => cancel(tx, record.id))
    if (await cancelUnopened(db, record)) return 'canceled'
    return (await findCheckout(db, record.id))?.status ?? record.status
  }
  await updateNextCheck(db, services, record)
  return record.status
}

async function settle(
  services: Needs,
  tx: Transaction,
  { purchase_id, checkout }: { purchase_id: string; checkout: Checkout | undefined },
): Promise<PurchaseStatus> {
  const record = await lockCheckout(tx, purchase_id)
  if (!record) throw new Problem('purchases.not_found')
  const { step, reason } = await decide(tx, record, checkout)
  const newlyFailed = checkout ? await recordFailedRefunds(tx, purchase_id, checkout.reportedAdjustments) : []
  if (step === 'cancel') return cancel(tx, purchase_id)
  if (!checkout) {
    if (!step) throw new Error(`the provider does not know the checkout ${record.session_id}`)
    await updateNextCheck(tx, services, record)
    return step === 'hold_unknown' ? holdUnknown(services, tx, record) : record.status
  }
  if (step === 'complete') return complete(services, tx, record, checkout)
  if (step === 'record_returned') return completeReturned(services, tx, record, checkout)
  if (step === 'record') return follow(services, tx, record, checkout)
  if (step === 'wait') return wait(services, tx, record, checkout)
  if (step === 'ignore') return record.status
  for (const failed_refund of newlyFailed) await services.queue.enqueue(tx, refundMailJob, { failed_refund })
  if (step === 'release') return release(services, tx, { record, reason, checkout })
  if (step === 'hold') services.log.error({ purchase_id, reason }, 'a payment is held for the author')
  return hold(tx, { record, reason, checkout })
}

/** Whether its copy is sold out is looked at only where the payment would complete the purchase otherwise. */
async function decide(
  tx: Transaction,
  record: CheckoutRecord,
  checkout: Checkout | undefined,
): Promise<{ step: Step | undefined; reason: string }> {
  const decideOn = (is_sold_out: boolean) => {
    const seen = { ...record, is_sold_out }
    const step = stepAfter(stateOf(record), providerEventOf(seen, checkout))
    const reason = (checkout?.status === 'paid' && findHoldReason(seen, checkout)) || record.held_reason
    return { step, reason: reason ?? '' }
  }
  const decided = decideOn(false)
  if (decided.step !== 'complete' || (await reserveCopies(tx, record))) return decided
  return decideOn(true)
}

/** False where the purchase has no copy, as after its reservation has ended, and none is left. */
async function reserveCopies(
  tx: Transaction,
  { id, has_copies }: Pick<CheckoutRecord, 'id' | 'has_copies'>,
): Promise<boolean> {
  if (has_copies) return true
  await lockUsedCode(tx, id)
  return takeCopies(tx, id)
}

/** A paid purchase: its invoice, its disputes and what went back. */
async function follow(
  services: Needs,
  tx: Transaction,
  record: CheckoutRecord,
  checkout: Checkout,
): Promise<PurchaseStatus> {
  const { subtotal, invoice_url, answer_by, disputed_at, dispute_status } = checkout
  const next_check_at = nextInvoiceCheck(services, record, checkout)
  await tx
    .update(checkouts)
    .set({
      subtotal,
      answer_by,
      disputed_at,
      dispute_status,
      next_check_at,
      ...(next_check_at && oneMoreCheck),
      ...(invoice_url && { invoice_url }),
    })
    .where(eq(checkouts.purchase_id, record.id))
  return saveAdjustments(tx, services.queue, record.id, checkout.reportedAdjustments)
}

async function wait(
  services: Needs,
  tx: Transaction,
  record: CheckoutRecord,
  { status }: Checkout,
): Promise<PurchaseStatus> {
  const ofPurchase = eq(checkouts.purchase_id, record.id)
  if (status === 'waiting') await tx.update(checkouts).set({ url: null }).where(ofPurchase)
  if (record.held_reason === unknownCheckout)
    await tx.update(checkouts).set({ held_reason: null }).where(ofPurchase)
  await updateNextCheck(tx, services, record)
  return record.status
}
