// The one way in which a payment changes a purchase. The provider is asked anew, so the order of calls does not
// matter.
import { eq } from 'drizzle-orm'
import { wasPaid, type PurchaseStatus } from '#contract/orders/purchases.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from '#tables/payments.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Services } from '#platform/services.ts'
import {
  cancel,
  cancelUnopened,
  complete,
  completeReturned,
  disputeOf,
  hold,
  holdUnknown,
  release,
  unknownCheckout,
} from './change-purchase.ts'
import { findCheckout, lockCheckout, type CheckoutRecord } from './checkout-record.ts'
import { nextInvoiceCheck, oneMoreCheck, updateNextCheck } from './next-check.ts'
import { assignGuestPurchase } from '#domains/orders/guest-account.ts'
import { lockUsedCode } from '#domains/orders/apply-discount.ts'
import { takeCopies } from '#domains/catalog/stock.ts'
import {
  findHoldReason,
  isOverdue,
  ownEventOf,
  providerEventOf,
  stateOf,
  stepAfter,
} from './payment-states.ts'
import { saveAdjustments, saveFailedRefunds } from './save-adjustments.ts'
import { refundMailJob } from './refund-email-job.ts'

/** Safe to repeat, also concurrently. Undefined for a purchase without a checkout. */
export async function settlePurchase(
  services: Services,
  purchase_id: string,
  { isBrief }: { isBrief?: boolean } = {},
): Promise<PurchaseStatus | undefined> {
  const { db, clock } = services
  const payments = services.payments.current()
  const record = await findCheckout(db, purchase_id)
  if (!record || !payments) return record?.status
  const now = clock()
  const event = ownEventOf(record, payments.isLive, now)
  const { session_id } = record
  if (event || !session_id) return settleUnasked(services, record, event)
  const read = () => payments.readCheckout(session_id, { isBrief })
  let checkout = await read()
  // One that reserves a copy or a code's use for too long is ended; what is paid at that moment stays paid.
  const isReserving = record.is_reserving && record.status === 'pending' && checkout?.status === 'open'
  if (isReserving && isOverdue(record, now)) {
    await payments.endCheckout(session_id)
    checkout = await read()
  }
  if (checkout?.status === 'open' && !wasPaid(record.status) && !record.held_reason) {
    // The most frequent case: no transaction and no lock.
    await updateNextCheck(db, services, record)
    return record.status
  }
  return db.transaction((tx) => settle(services, tx, { purchase_id, checkout }))
}

async function settleUnasked(
  services: Services,
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
  services: Services,
  tx: Transaction,
  { purchase_id, checkout }: { purchase_id: string; checkout: Checkout | undefined },
): Promise<PurchaseStatus> {
  const record = await lockCheckout(tx, purchase_id)
  if (!record) throw orderProblem('purchases.not_found')
  // Before copies are taken: every transaction locks the account's row before those of the copies.
  if (!record.user_id && checkout?.status === 'paid') await assignGuestPurchase(tx, services, purchase_id)
  const { step, reason } = await decide(tx, record, checkout)
  const newlyFailed = checkout ? await saveFailedRefunds(tx, purchase_id, checkout.reportedAdjustments) : []
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

async function decide(tx: Transaction, record: CheckoutRecord, checkout: Checkout | undefined) {
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

/** A purchase whose reservation has ended has no copy. */
async function reserveCopies(tx: Transaction, { id, has_copies }: Pick<CheckoutRecord, 'id' | 'has_copies'>) {
  if (has_copies) return true
  await lockUsedCode(tx, id)
  return takeCopies(tx, id)
}

async function follow(services: Services, tx: Transaction, record: CheckoutRecord, checkout: Checkout) {
  const { subtotal, invoice_url } = checkout
  const next_check_at = nextInvoiceCheck(services, record, checkout)
  const invoice = { next_check_at, ...(next_check_at && oneMoreCheck), ...(invoice_url && { invoice_url }) }
  await tx
    .update(checkouts)
    .set({ subtotal, ...disputeOf(checkout), ...invoice })
    .where(eq(checkouts.purchase_id, record.id))
  return saveAdjustments(tx, services.queue, record.id, checkout.reportedAdjustments)
}

async function wait(services: Services, tx: Transaction, record: CheckoutRecord, { status }: Checkout) {
  const ofPurchase = eq(checkouts.purchase_id, record.id)
  if (status === 'waiting') await tx.update(checkouts).set({ url: null }).where(ofPurchase)
  if (record.held_reason === unknownCheckout)
    await tx.update(checkouts).set({ held_reason: null }).where(ofPurchase)
  await updateNextCheck(tx, services, record)
  return record.status
}
