// The decision table of a payment: which step follows which event in which state. It decides only; settle.ts,
// resolve-attention.ts and adjustments.ts act. docs/payments.md draws it.
import { maxReservationMs } from '#domains/orders/guest-checkouts.ts'
import { hourMs } from '#contract/durations.ts'
import { addCents, formatCents, type Cents } from '#contract/money.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { PurchaseStatus } from '#contract/orders/purchase-status.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { CheckoutRecord } from './checkout-records.ts'

/** `open`: also while a bank takes days. `dismissed`: by the author, or all money of a held payment went back. */
export type PaymentState = 'unopened' | 'open' | 'held' | 'dismissed' | 'canceled' | PaidState
type PaidState = Exclude<PurchaseStatus, 'pending' | 'canceled'>

/** `mismatch`: does not fit its purchase, or only the author can accept it. `returned`: fits, and all money went back. */
type CheckoutEvent =
  | 'open'
  | 'waiting'
  | 'paid'
  | 'returned'
  | 'mismatch'
  | 'mismatch_returned'
  | 'ended'
  | 'unknown'
  | 'unknown_test'

/** `other_key`: only the other kind of key (test or live) could ask. */
type OwnEvent = 'not_opened_yet' | 'never_opened' | 'other_key' | 'test_left' | 'too_old'

type AuthorEvent = 'check' | 'accept' | 'give_back' | 'dismiss'

export type PaymentEvent = CheckoutEvent | OwnEvent | AuthorEvent

// `record`: save adjustments and follow their status; `_returned`: nothing is sent. `settle`: ask the provider now.
type Step =
  | 'wait'
  | 'complete'
  | 'hold'
  | 'hold_unknown'
  | 'release'
  | 'cancel'
  | 'record'
  | 'record_returned'
  | 'note'
  | 'ignore'
  | 'settle'
  | 'refund'
  | 'dismiss'

type Steps = Record<PaymentEvent, Step | undefined>

const noDecision = { check: undefined, accept: undefined, give_back: undefined, dismiss: undefined }

const unpaid: Steps = {
  open: 'wait',
  waiting: 'wait',
  paid: 'complete',
  returned: 'record_returned',
  mismatch: 'hold',
  mismatch_returned: 'release',
  ended: 'cancel',
  unknown: 'hold_unknown',
  unknown_test: 'cancel',
  not_opened_yet: 'wait',
  never_opened: 'cancel',
  other_key: 'wait',
  test_left: 'cancel',
  too_old: 'hold',
  ...noDecision,
}

const paid: Steps = {
  open: 'record',
  waiting: 'record',
  paid: 'record',
  returned: 'record',
  mismatch: 'record',
  mismatch_returned: 'record',
  ended: 'record',
  unknown: undefined,
  unknown_test: undefined,
  not_opened_yet: 'wait',
  never_opened: undefined,
  other_key: 'wait',
  test_left: undefined,
  too_old: 'ignore',
  ...noDecision,
}

const dismissed: Steps = {
  open: 'ignore',
  waiting: 'ignore',
  paid: 'note',
  returned: 'note',
  mismatch: 'note',
  mismatch_returned: 'note',
  ended: 'ignore',
  unknown: 'ignore',
  unknown_test: 'ignore',
  not_opened_yet: 'ignore',
  never_opened: 'ignore',
  other_key: 'ignore',
  test_left: 'ignore',
  too_old: 'ignore',
  ...noDecision,
  accept: 'complete',
}

const stepsIn: Record<PaymentState, Steps> = {
  unopened: unpaid,
  open: unpaid,
  canceled: unpaid,
  held: {
    ...unpaid,
    unknown: 'wait',
    too_old: 'wait',
    check: 'settle',
    accept: 'complete',
    give_back: 'refund',
    dismiss: 'dismiss',
  },
  dismissed,
  completed: paid,
  partially_refunded: paid,
  refunded: paid,
  disputed: paid,
}

export function stepAfter(state: PaymentState, event: PaymentEvent): Step | undefined {
  return stepsIn[state][event]
}

type StateFields = Pick<CheckoutRecord, 'status' | 'session_id' | 'held_reason' | 'dismissed_at'>

export function stateOf({ status, session_id, held_reason, dismissed_at }: StateFields): PaymentState {
  if (status !== 'pending' && status !== 'canceled') return status
  if (dismissed_at) return 'dismissed'
  if (held_reason) return 'held'
  if (status === 'canceled') return 'canceled'
  return session_id ? 'open' : 'unopened'
}

/** The longest time in which a checkout can be paid. */
const maxCheckoutMs = 25 * hourMs

type AgeFields = Pick<CheckoutRecord, 'status' | 'is_live' | 'session_id' | 'created_at' | 'is_reserving'>

export function isOverdue(
  { created_at, is_reserving }: Pick<AgeFields, 'created_at' | 'is_reserving'>,
  now: Date,
): boolean {
  return now.getTime() - created_at.getTime() >= (is_reserving ? maxReservationMs : maxCheckoutMs)
}

/** Undefined where the provider has to be asked. A test never brings money. */
export function ownEventOf(record: AgeFields, isLive: boolean, now: Date): OwnEvent | undefined {
  const isPending = record.status === 'pending'
  if (record.is_live !== isLive) return isPending && !record.is_live ? 'test_left' : 'other_key'
  if (record.session_id) return undefined
  return isPending && isOverdue(record, now) ? 'never_opened' : 'not_opened_yet'
}

type PurchaseFields = Pick<
  CheckoutRecord,
  'id' | 'product_id' | 'amount' | 'seller' | 'shipping' | 'shop_currency' | 'is_live' | 'held_reason'
> & {
  is_sold_out?: boolean
}

const soldOut = 'It was paid after its copy was sold to somebody else.'
export const disputedFirst = 'The buyer’s bank disputed this payment before the purchase was completed.'

/** Stored when the payment is first seen: new copies or the bank's decision do not complete the purchase. */
const authorOnly: ReadonlySet<string> = new Set([soldOut, disputedFirst])

export function providerEventOf(record: PurchaseFields, checkout: Checkout | undefined): CheckoutEvent {
  if (!checkout) return record.is_live ? 'unknown' : 'unknown_test'
  if (checkout.status !== 'paid') return checkout.status
  const isBack = checkout.total > 0n && leftOfPayment(checkout) <= 0n
  const isMismatch = findMismatch(record, checkout) !== undefined || record.held_reason === soldOut
  if (isBack) return isMismatch ? 'mismatch_returned' : 'returned'
  return findHoldReason(record, checkout) ? 'mismatch' : 'paid'
}

export function findHoldReason(
  record: Omit<PurchaseFields, 'is_live'>,
  checkout: Checkout,
): string | undefined {
  const mismatch = findMismatch(record, checkout)
  if (mismatch) return mismatch
  const { held_reason, is_sold_out } = record
  if (held_reason && authorOnly.has(held_reason)) return held_reason
  if (checkout.reportedAdjustments.some(({ isOpen }) => isOpen)) return disputedFirst
  return is_sold_out ? soldOut : undefined
}

const names: Record<Seller, string> = { author: 'the author', stripe: 'Link' }

function findMismatch(record: Omit<PurchaseFields, 'is_live' | 'held_reason'>, checkout: Checkout) {
  if (checkout.purchase_id !== record.id) return 'The payment names another purchase.'
  if (checkout.product_id !== record.product_id) return 'The payment is for another product.'
  if (checkout.sold_by !== record.seller)
    return `The buyer was told that ${names[record.seller]} sells it, and Stripe says that ${names[checkout.sold_by]} did.`
  const { shop_currency: currency } = record
  if (checkout.currency !== currency)
    return `The payment is in ${checkout.currency.toUpperCase()}, not in ${currency.toUpperCase()}.`
  const parcelPrice = record.shipping ?? 0n
  const paid = checkout.shipping ?? 0n
  const price = record.amount - parcelPrice
  if (checkout.subtotal === price && paid === parcelPrice) return undefined
  const inWords = (amount: Cents, shipping: Cents) =>
    `${formatCents(amount, currency)}${shipping > 0n ? ` and ${formatCents(shipping, currency)} of shipping` : ''}`
  return `The payment is for ${inWords(checkout.subtotal, paid)}, the purchase for ${inWords(price, parcelPrice)}.`
}

export function leftOfPayment({
  total,
  reportedAdjustments,
}: Pick<Checkout, 'total' | 'reportedAdjustments'>): Cents {
  const back = reportedAdjustments.filter(({ isReversed, isOpen }) => !isReversed && !isOpen)
  return total - addCents(back.map(({ amount }) => amount))
}

/** `openDisputes`: those that the shop has not won. */
export function statusAfterAdjustments(
  { amount, refunded }: { amount: Cents; refunded: Cents },
  openDisputes: number,
): PaidState {
  if (openDisputes > 0) return 'disputed'
  if (refunded === 0n) return 'completed'
  return refunded < amount ? 'partially_refunded' : 'refunded'
}
