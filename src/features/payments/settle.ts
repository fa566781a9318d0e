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
import { complete } from './complete-purchase.ts'
import { recordFailedRefunds } from './failed-refunds.ts'
import { hold, holdUnknown, release, unknownCheckout } from './hold-payment.ts'
import { nextInvoiceCheck, oneMoreCheck, postpone } from './next-check.ts'
import { lockUsedCode } from '../discounts/apply-discount.ts'
import { takeCopies } from '../stock/take-copies.ts'
import { findMismatch, isOverdue, ownEventOf, providerEventOf, stateOf, stepAfter } from './payment-states.ts'
import { recordMoneyBack } from './record-money-back.ts'
import { refundMailJob } from './refund-email-job.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'payments' | 'config' | 'settings' | 'clock' | 'log'>

/**
 * Brings a purchase to what the provider says of its checkout; safe to repeat, also concurrently. A payment that does
 * not fit the purchase is held for the author and completes nothing. Returns the status, undefined for a purchase without
 * a checkout. Throws payments.unavailable.
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
    await postpone(db, services, record)
    return record.status
  }
  return db.transaction((tx) => settle(services, tx, { purchase_id, checkout }))
}

/** One that reserves a copy for too long is ended first; what is paid at that moment stays paid. */
async function readOrEnd(
  payments: Payments,
  record: CheckoutRecord & { session_id: string },
  { isBrief, now }: { isBrief: boolean | undefined; now: Date },
): Promise<Checkout | undefined> {
  const { session_id, has_copies, status } = record
  const read = () => payments.readCheckout(session_id, { isBrief })
  const checkout = await read()
  const isReserved = has_copies && status === 'pending' && checkout?.status === 'open'
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
  await postpone(db, services, record)
  return record.status
}

async function settle(
  services: Needs,
  tx: Transaction,
  { purchase_id, checkout }: { purchase_id: string; checkout: Checkout | undefined },
): Promise<PurchaseStatus> {
  const found = await lockCheckout(tx, purchase_id)
  if (!found) throw new Problem('purchases.not_found')
  const record = { ...found, is_sold_out: await isSoldOut(tx, found, checkout) }
  const event = providerEventOf(record, checkout)
  const step = stepAfter(stateOf(record), event)
  if (step === 'cancel') {
    if (checkout) await recordFailedRefunds(tx, purchase_id, checkout.moneyBack)
    return cancel(tx, purchase_id)
  }
  if (!checkout) {
    if (!step) throw new Error(`the provider does not know the checkout ${record.session_id}`)
    await postpone(tx, services, record)
    return step === 'hold_unknown' ? holdUnknown(services, tx, record) : record.status
  }
  const newlyFailed = await recordFailedRefunds(tx, purchase_id, checkout.moneyBack)
  if (step === 'complete') return complete(services, tx, record, checkout)
  if (step === 'record') return follow(services, tx, record, checkout)
  const mismatch = checkout.status === 'paid' && findMismatch(record, checkout)
  if (!mismatch) return wait(services, tx, record, checkout)
  for (const failed_refund of newlyFailed) await services.queue.enqueue(tx, refundMailJob, { failed_refund })
  if (step === 'release') return release(services, tx, { record, reason: mismatch, checkout })
  if (step === 'ignore') return record.status
  if (step === 'hold')
    services.log.error({ purchase_id, mismatch }, 'a payment does not fit its purchase and is held')
  return hold(tx, { record, reason: mismatch, checkout })
}

/** Takes the copy that a payment is for, where the purchase has none, as after its reservation has ended. */
async function isSoldOut(
  tx: Transaction,
  record: CheckoutRecord,
  checkout: Checkout | undefined,
): Promise<boolean> {
  const isPaidNow = checkout?.status === 'paid' && !wasPaid(record.status) && !record.has_copies
  if (!isPaidNow || findMismatch(record, checkout)) return false
  await lockUsedCode(tx, record.id)
  return !(await takeCopies(tx, record.id))
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
  return recordMoneyBack(tx, services.queue, record.id, checkout.moneyBack)
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
  await postpone(tx, services, record)
  return record.status
}
