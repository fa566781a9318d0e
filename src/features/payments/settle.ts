// The one way in which a payment changes a purchase. Webhooks, returning buyers and the reconciler all come here; each
// asks the provider anew, so it does not matter who comes first, late or twice.
import { eq, sql } from 'drizzle-orm'
import { addMoney, compareMoney, formatDollars, subtractMoney } from '#platform/contract/money.ts'
import type { PurchaseStatus } from '../purchases/contract/purchases.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import { shipments } from '../shipping/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { receiptJob } from '../purchases/receipts.ts'
import { recordFailedRefunds } from './failed-refunds.ts'
import { end, giveUpUnopened, leaveElsewhere, leaveUnknown, unknownCheckout } from './abandon.ts'
import { findCheckout, isUnpaid, lockCheckout, type Known } from './checkout-record.ts'
import { recordMoneyBack } from './give-refund.ts'
import { nextInvoiceCheck, oneMoreCheck, postpone } from './next-check.ts'
import { refundMailJob } from './refund-mail.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'payments' | 'config' | 'clock' | 'log'>

/**
 * Brings a purchase to what the provider says of its checkout; safe to repeat, also at the same moment. What does not
 * fit the purchase is held for the author and completes nothing. Returns the status, undefined for a purchase without
 * a checkout. Throws payments.unavailable.
 */
export async function settlePurchase(
  services: Needs,
  purchase_id: string,
  { isBrief }: { isBrief?: boolean } = {},
): Promise<PurchaseStatus | undefined> {
  const { db, payments } = services
  const known = await findCheckout(db, purchase_id)
  if (!known || !payments) return known?.status
  if (known.is_live !== payments.isLive) return leaveElsewhere(services, known)
  if (!known.session_id) return giveUpUnopened(services, known)
  const checkout = await payments.readCheckout(known.session_id, { isBrief })
  if (!checkout) return leaveUnknown(services, known)
  if (checkout.status === 'open' && isUnpaid(known) && !known.held_reason) {
    // Nothing to settle yet, as mostly: no transaction, no lock.
    await postpone(db, services, known)
    return known.status
  }
  return db.transaction((tx) => settle(services, tx, purchase_id, checkout))
}

async function settle(
  services: Needs,
  tx: Transaction,
  purchase_id: string,
  checkout: Checkout,
): Promise<PurchaseStatus> {
  const { queue, log } = services
  const known = await lockCheckout(tx, purchase_id)
  if (!known) throw new Problem('purchases.not_found')
  const newlyFailed = await recordFailedRefunds(tx, purchase_id, checkout.moneyBack)
  if (isUnpaid(known) && checkout.status === 'paid') {
    const mismatch = findMismatch(known, checkout)
    if (mismatch) {
      for (const failed_refund of newlyFailed) await queue.enqueue(tx, refundMailJob, { failed_refund })
      if (checkout.total > 0 && leftOf(checkout) <= 0) return release(tx, queue, known, mismatch, checkout)
      if (!known.dismissed_at)
        log.error({ purchase_id, mismatch }, 'a payment does not fit its purchase and is held')
      return hold(tx, known, mismatch, checkout)
    }
    return complete(services, tx, known, checkout)
  }
  if (!isUnpaid(known)) {
    const { subtotal, invoice_url, answer_by, disputed_at, dispute_status } = checkout
    const next_check_at = nextInvoiceCheck(services, known, checkout)
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
      .where(eq(checkouts.purchase_id, purchase_id))
    return recordMoneyBack(tx, queue, purchase_id, checkout.moneyBack)
  }
  if (checkout.status === 'ended') return end(tx, known)
  if (checkout.status === 'waiting')
    await tx.update(checkouts).set({ url: null }).where(eq(checkouts.purchase_id, purchase_id))
  if (known.held_reason === unknownCheckout)
    await tx.update(checkouts).set({ held_reason: null }).where(eq(checkouts.purchase_id, purchase_id))
  await postpone(tx, services, known)
  return known.status
}

/** Why this payment is not for this purchase, in words for the author. */
function findMismatch(known: Known, checkout: Checkout): string | undefined {
  if (checkout.purchase_id !== known.id) return 'The payment names another purchase.'
  if (checkout.product_id !== known.product_id) return 'The payment is for another product.'
  if (checkout.currency !== 'usd') return `The payment is in ${checkout.currency.toUpperCase()}, not in USD.`
  if (compareMoney(checkout.subtotal, known.amount) !== 0) {
    return `The payment is for ${formatDollars(checkout.subtotal)}, the purchase for ${formatDollars(known.amount)}.`
  }
  return undefined
}

const notHeld = { held_reason: null, paid_total: null, paid_currency: null }

/** At what was really paid. The purchase's row must be locked. */
export async function complete(
  services: Pick<Services, 'queue' | 'config' | 'clock'>,
  tx: Transaction,
  known: Pick<Known, 'id' | 'created_at'>,
  checkout: Checkout,
): Promise<PurchaseStatus> {
  const { queue } = services
  const { id: purchase_id } = known
  const { total: amount, subtotal, tax, discount, payment_intent, invoice_url, address } = checkout
  const { answer_by, disputed_at, dispute_status } = checkout
  const next_check_at = nextInvoiceCheck(services, { ...known, checks: 0 }, checkout)
  await tx.update(purchases).set({ status: 'completed', amount }).where(eq(purchases.id, purchase_id))
  await tx
    .update(checkouts)
    .set({
      subtotal,
      tax,
      discount,
      payment_intent,
      invoice_url,
      answer_by,
      disputed_at,
      dispute_status,
      ...notHeld,
      next_check_at,
      checks: 0,
      asked: null,
    })
    .where(eq(checkouts.purchase_id, purchase_id))
  // Its row came with the status, where there is anything to ship.
  if (address) await tx.update(shipments).set(address).where(eq(shipments.purchase_id, purchase_id))
  await queue.enqueue(tx, receiptJob, { purchase_id })
  return recordMoneyBack(tx, queue, purchase_id, checkout.moneyBack)
}

async function hold(
  tx: Transaction,
  { id, status }: Known,
  held_reason: string,
  { payment_intent, total: paid_total, currency: paid_currency }: Checkout,
): Promise<PurchaseStatus> {
  await tx
    .update(checkouts)
    .set({ held_reason, payment_intent, paid_total, paid_currency, next_check_at: null, url: null })
    .where(eq(checkouts.purchase_id, id))
  return status
}

/** Of what was paid, in its own currency, after refunds. */
export function leftOf({ total, moneyBack }: Checkout): number {
  const back = moneyBack.filter(({ kind, isReversed }) => kind === 'refund' && !isReversed)
  return subtractMoney(total, addMoney(back.map(({ amount }) => amount)))
}

/** A held payment whose money went back, from the desk or from the provider's: over, and its buyer told, once. */
async function release(
  tx: Transaction,
  queue: Services['queue'],
  known: Known,
  held_reason: string,
  { payment_intent, total: paid_total, currency: paid_currency }: Checkout,
): Promise<PurchaseStatus> {
  if (known.dismissed_at) return known.status
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, known.id))
  await tx
    .update(checkouts)
    .set({
      held_reason,
      payment_intent,
      paid_total,
      paid_currency,
      dismissed_at: sql`now()`,
      next_check_at: null,
    })
    .where(eq(checkouts.purchase_id, known.id))
  await queue.enqueue(tx, refundMailJob, { held_purchase_id: known.id })
  return 'canceled'
}
