// The one way in which a payment changes a purchase. The provider is asked anew, so the order of calls does not
// matter.
import { and, eq, isNull, sql } from 'drizzle-orm'
import { wasPaid, type PurchaseStatus } from '#contract/orders/purchase-status.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from '#tables/payments.ts'
import { purchases } from '#tables/orders.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { recordPurchaseEvent, updatePurchase } from '#domains/orders/purchase-changes.ts'
import type { Services } from '#platform/services.ts'
import { lockCheckout, type CheckoutRecord, findCheckout } from './checkout-records.ts'
import { nextInvoiceCheck, oneMoreCheck, updateNextCheck } from './next-checks.ts'
import {
  disputedFirst,
  findHoldReason,
  isOverdue,
  ownEventOf,
  providerEventOf,
  stateOf,
  stepAfter,
} from './payment-states.ts'
import type { Checkout, ReportedAdjustment } from '#platform/stripe/payments.ts'
import { saveCharge, insertPaidAddress } from '#domains/orders/shipping.ts'
import { limitProof } from '#domains/orders/guest-orders.ts'
import { assignGuestPurchase } from '#domains/orders/guest-owners.ts'
import { lockUsedCode, setUseCounted } from '#domains/orders/discounts.ts'
import { takeCopies } from '#domains/orders/buy.ts'
import { subscribeBuyer } from '#domains/orders/ticked-boxes.ts'
import { receiptJob } from '#domains/orders/receipts.ts'
import { provider, saveAdjustments, refundMailJob, saveFailedRefunds } from './adjustments.ts'
import { recordPaid } from './webhook-data.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const nothingPending = { next_check_at: null, held_reason: null, dismissed_at: null, parameters: null }

async function cancel(tx: Transaction, purchase_id: string): Promise<PurchaseStatus> {
  const record = await lockCheckout(tx, purchase_id)
  if (!record) throw orderProblem('purchases.not_found')
  if (wasPaid(record.status)) return record.status
  await updatePurchase(tx, purchase_id, { status: 'canceled' })
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
    await updatePurchase(tx, id, { status: 'canceled' })
    return true
  })
}

const notHeld = { held_reason: null, dismissed_at: null, paid_total: null, paid_currency: null }

type Disputed = Pick<CheckoutRecord, 'disputed_at' | 'dispute_status'>
type Paid = Pick<CheckoutRecord, 'id' | 'created_at' | 'shipping'> & Disputed

/** The purchase's row must be locked. */
export async function complete(services: CommerceShop, tx: Transaction, record: Paid, checkout: Checkout) {
  const { queue } = services
  const { id: purchase_id } = record
  const { total: amount, address } = checkout
  const link_tax = linkTaxOf(checkout)
  const paid = { status: 'completed', amount, link_tax, country: countryOf(checkout) } as const
  await updatePurchase(tx, purchase_id, paid)
  await savePaid(services, tx, record, checkout)
  // The author may accept a payment after the last copy was sold.
  await takeCopies(tx, purchase_id)
  // A trigger has inserted the shipment with the new status.
  if (address) await insertPaidAddress(tx, purchase_id, address)
  await subscribeBuyer(services, tx, purchase_id)
  await recordPaid(tx, purchase_id, services.clock())
  await queue.enqueue(tx, receiptJob, { purchase_id })
  return saveReported(services, tx, record, checkout)
}

// All money went back before the shop saw the payment: no receipt, no parcel; triggers return the copies.
async function completeReturned(services: CommerceShop, tx: Transaction, record: Paid, checkout: Checkout) {
  const { id: purchase_id } = record
  await lockUsedCode(tx, purchase_id)
  const { total: amount } = checkout
  const paid = { amount, link_tax: linkTaxOf(checkout), country: countryOf(checkout) }
  await updatePurchase(tx, purchase_id, { status: 'refunded', ...paid })
  await setUseCounted(tx, purchase_id, false)
  await savePaid(services, tx, record, checkout)
  await recordPaid(tx, purchase_id, services.clock())
  return saveReported(services, tx, record, checkout)
}

/** The author owes the tax of what the author sells. */
function linkTaxOf({ sold_by, tax }: Checkout) {
  return sold_by === 'stripe' ? tax : 0n
}

/** Undefined leaves the one that is known. */
function countryOf({ address, payer_country }: Checkout) {
  return address?.country || payer_country || undefined
}

async function savePaid(services: CommerceShop, tx: Transaction, record: Paid, checkout: Checkout) {
  const { subtotal, tax, discount, payment_intent, invoice_url, payer_name, address } = checkout
  const amounts = { subtotal, tax, discount, ...saleOf(checkout) }
  const paid = { ...amounts, payment_intent, invoice_url, payer_name, ...disputeOf(checkout) }
  const next_check_at = nextInvoiceCheck(services, { ...record, checks: 0 }, checkout)
  await tx
    .update(checkouts)
    .set({ ...paid, ...notHeld, next_check_at, checks: 0, parameters: null })
    .where(eq(checkouts.purchase_id, record.id))
  // The day does not begin while a payment is held: it would pass before the author has decided.
  await limitProof(tx, record.id, services.clock())
  // Another price of shipping is paid where the author accepts a payment that does not fit.
  const amount = checkout.shipping ?? 0n
  if (amount !== (record.shipping ?? 0n))
    await saveCharge(tx, { purchase_id: record.id, country: address?.country ?? null, amount })
}

/** Who sold it, and the amount that the buyer was shown in another currency. */
function saleOf({ sold_by, presented }: Checkout) {
  return {
    sold_by,
    presented_amount: presented?.amount ?? null,
    presented_currency: presented?.currency ?? null,
  }
}

async function saveReported(
  services: CommerceShop,
  tx: Transaction,
  { id: purchase_id, ...before }: Pick<CheckoutRecord, 'id'> & Disputed,
  checkout: Checkout,
): Promise<PurchaseStatus> {
  const status = await saveAdjustments(tx, services, purchase_id, checkout.reportedAdjustments)
  // Unlike a dispute that was won, it moves no money.
  if (isNewlyLost(before, checkout))
    await recordPurchaseEvent(tx, provider, { action: 'payments.dispute_lost', purchase_id })
  return status
}

/** False where a later dispute has ended and the one that decides again was lost before it. */
function isNewlyLost(before: Disputed, { disputed_at, dispute_status }: Checkout): boolean {
  if (dispute_status !== 'lost' || !disputed_at) return false
  const difference = disputed_at.getTime() - (before.disputed_at?.getTime() ?? 0)
  return difference > 0 || (difference === 0 && before.dispute_status !== 'lost')
}

function disputeOf({ answer_by, disputed_at, dispute_status }: Checkout) {
  return { answer_by, disputed_at, dispute_status }
}

type Mismatch = { record: CheckoutRecord; reason: string; checkout: Checkout }

const unknownCheckout = 'Stripe does not know its checkout. Was it opened with the key of another account?'

async function hold(tx: Transaction, { record, reason, checkout }: Mismatch): Promise<PurchaseStatus> {
  await tx
    .update(checkouts)
    .set({ ...paidOf(reason, checkout), url: null })
    .where(eq(checkouts.purchase_id, record.id))
  return record.status
}

// The buyer can buy again. Money may have been taken, so the provider is asked again, in case the right key is back.
async function holdUnknown({ log }: CommerceShop, tx: Transaction, { id }: CheckoutRecord) {
  log.error({ purchase_id: id }, 'the provider does not know a checkout')
  await updatePurchase(tx, id, { status: 'canceled' })
  await tx
    .update(checkouts)
    .set({ held_reason: unknownCheckout, url: null })
    .where(eq(checkouts.purchase_id, id))
  return 'canceled' as const
}

/** The bank notifies the buyer of a dispute; the shop notifies of a refund, once. */
async function release({ queue }: CommerceShop, tx: Transaction, mismatch: Mismatch) {
  const { record, reason, checkout } = mismatch
  const { id } = record
  await updatePurchase(tx, id, { status: 'canceled' })
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
  const paid = { payment_intent, paid_total, paid_currency, ...saleOf(checkout) }
  return { held_reason, ...paid, ...dispute, next_check_at: null }
}

/** Safe to repeat, also concurrently. Undefined for a purchase without a checkout. */
export async function settlePurchase(
  services: CommerceShop,
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
  services: CommerceShop,
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
  services: CommerceShop,
  tx: Transaction,
  { purchase_id, checkout }: { purchase_id: string; checkout: Checkout | undefined },
): Promise<PurchaseStatus> {
  const record = await lockCheckout(tx, purchase_id)
  if (!record) throw orderProblem('purchases.not_found')
  // The account comes before copies: every transaction locks the account's row before those of the copies.
  if (!record.user_id && checkout?.status === 'paid') await assignGuestPurchase(tx, services, purchase_id)
  const { step, reason } = await decide(tx, record, checkout)
  const newlyFailed = checkout ? await saveFailedRefunds(tx, purchase_id, checkout.reportedAdjustments) : []
  if (step === 'cancel') return cancel(tx, purchase_id)
  if (!checkout) {
    if (!step) throw new Error(`the provider does not know the checkout of the purchase ${purchase_id}`)
    await updateNextCheck(tx, services, record)
    return step === 'hold_unknown' ? holdUnknown(services, tx, record) : record.status
  }
  if (step === 'complete') return complete(services, tx, record, checkout)
  if (step === 'record_returned') return completeReturned(services, tx, record, checkout)
  if (step === 'record') return follow(services, tx, record, checkout)
  if (step === 'wait') return wait(services, tx, record, checkout)
  // A checkout without a payment has nothing to note.
  const isIgnored = step === 'ignore' || (step === 'note' && !checkout.payment_intent)
  if (isIgnored) return record.status
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

async function follow(services: CommerceShop, tx: Transaction, record: CheckoutRecord, checkout: Checkout) {
  const { subtotal, invoice_url } = checkout
  const next_check_at = nextInvoiceCheck(services, record, checkout)
  const invoice = { next_check_at, ...(next_check_at && oneMoreCheck), ...(invoice_url && { invoice_url }) }
  await tx
    .update(checkouts)
    .set({ subtotal, ...disputeOf(checkout), ...invoice })
    .where(eq(checkouts.purchase_id, record.id))
  return saveReported(services, tx, record, checkout)
}

async function wait(services: CommerceShop, tx: Transaction, record: CheckoutRecord, { status }: Checkout) {
  const ofPurchase = eq(checkouts.purchase_id, record.id)
  if (status === 'waiting') await tx.update(checkouts).set({ url: null }).where(ofPurchase)
  if (record.held_reason === unknownCheckout)
    await tx.update(checkouts).set({ held_reason: null }).where(ofPurchase)
  await updateNextCheck(tx, services, record)
  return record.status
}
