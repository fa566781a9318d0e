// What the author can do with a payment that does not fit its purchase. Repeated, each action takes effect once.
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { PurchaseStatus } from '../purchases/contract/purchases.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts, refund_requests } from './schema.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordPurchaseEvent, type Actor } from '../audit/audit-log.ts'
import { ask } from './refunds.ts'
import { findCheckout, lockCheckout } from './checkout-record.ts'
import { complete } from './complete-purchase.ts'
import { leftOfPayment, stateOf, stepAfter, type PaymentEvent } from './payment-states.ts'
import { settlePurchase } from './settle.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'payments' | 'config' | 'settings' | 'clock' | 'log'>

/** Asks the provider anew; its event decides. Null while it still waits. */
export async function checkHeld(
  services: Needs,
  actor: Actor,
  purchase_id: string,
): Promise<PurchaseStatus | null> {
  await services.db.transaction(async (tx) => {
    await lockPayment(tx, { purchase_id, event: 'check' })
    await recordPurchaseEvent(tx, actor, { action: 'payments.checked', purchase_id })
  })
  const status = await settlePurchase(services, purchase_id)
  const stillWaits = await services.db.$count(
    checkouts,
    and(eq(checkouts.purchase_id, purchase_id), isWaiting),
  )
  return stillWaits > 0 ? null : (status ?? null)
}

type ByAuthor = 'held' | 'dismissed'

/**
 * Completes the purchase at what was really paid, where the provider says that it was paid, for this purchase and in
 * the shop's currency; what went back meanwhile is settled as such. A dismissed payment is accepted only while the shop
 * has its money.
 */
export async function acceptPayment(
  services: Needs,
  actor: Actor,
  { purchase_id, state }: { purchase_id: string; state: ByAuthor },
): Promise<void> {
  const { db } = services
  const checkout = await readPayment(services, purchase_id, state)
  const fits = checkout?.status === 'paid' && checkout.purchase_id === purchase_id
  const record = await findCheckout(db, purchase_id)
  if (!fits || checkout.currency !== record?.shop_currency) throw new Problem('payments.not_acceptable')
  const isBack = checkout.total > 0 && leftOfPayment(checkout) <= 0
  const isDisputed = checkout.reportedAdjustments.some(({ isOpen }) => isOpen)
  if (state === 'dismissed' && (isBack || isDisputed)) throw new Problem('payments.money_gone')
  if (isBack) {
    await settlePurchase(services, purchase_id)
    throw new Problem('payments.not_waiting')
  }
  await db.transaction(async (tx) => {
    const record = await lockPayment(tx, { purchase_id, state, event: 'accept' })
    await complete(services, tx, record, checkout)
    const detail = { asked: record.amount, paid: checkout.total, reason: record.held_reason }
    await recordPurchaseEvent(tx, actor, { action: 'payments.accepted', purchase_id, detail })
  })
}

/** All that was paid, by the same job as any refund; once the provider has it, the purchase is over. */
export async function refundHeld(services: Needs, actor: Actor, purchase_id: string): Promise<void> {
  const { db, queue } = services
  const checkout = await readPayment(services, purchase_id, 'held')
  if (checkout?.status !== 'paid' || !checkout.payment_intent || checkout.total <= 0)
    throw new Problem('payments.nothing_paid')
  const { payment_intent, total, currency } = checkout
  const amount = leftOfPayment(checkout)
  await db.transaction(async (tx) => {
    const { held_reason: reason } = await lockPayment(tx, { purchase_id, event: 'give_back' })
    if (amount <= 0) throw new Problem('payments.not_waiting')
    await tx
      .update(checkouts)
      .set({ payment_intent, paid_total: total, paid_currency: currency })
      .where(eq(checkouts.purchase_id, purchase_id))
    await ask(tx, queue, { purchase_id, amount, reason: reason ?? '', is_by_buyer: false })
    await recordPurchaseEvent(tx, actor, {
      action: 'payments.given_back',
      purchase_id,
      detail: { amount, currency, reason },
    })
  })
}

/** The author has dealt with it elsewhere: it completes nothing and is not asked about again. */
export async function dismissHeld(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  purchase_id: string,
  note: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { held_reason: reason } = await lockPayment(tx, { purchase_id, event: 'dismiss' })
    await tx
      .update(checkouts)
      .set({ dismissed_at: clock(), next_check_at: null })
      .where(eq(checkouts.purchase_id, purchase_id))
    await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, purchase_id))
    await recordPurchaseEvent(tx, actor, {
      action: 'payments.dismissed',
      purchase_id,
      detail: { note, reason },
    })
  })
}

/** As the provider has it now; undefined for a checkout that never was opened. */
async function readPayment(
  { db, ...services }: Needs,
  purchase_id: string,
  state: ByAuthor,
): Promise<Checkout | undefined> {
  const payments = services.payments.current()
  const record = await findCheckout(db, purchase_id)
  if (!record || stateOf(record) !== state || !payments) throw new Problem('payments.not_waiting')
  return record.session_id ? payments.readCheckout(record.session_id) : undefined
}

const isWaiting = and(isNotNull(checkouts.held_reason), isNull(checkouts.dismissed_at))

/** Throws payments.not_waiting; while its refund is under way, for everything but a check. */
async function lockPayment(
  tx: Transaction,
  { purchase_id, event, state = 'held' }: { purchase_id: string; event: PaymentEvent; state?: ByAuthor },
) {
  const record = await lockCheckout(tx, purchase_id)
  if (!record || stateOf(record) !== state || !stepAfter(state, event))
    throw new Problem('payments.not_waiting')
  const isRefundAsked = and(eq(refund_requests.purchase_id, purchase_id), eq(refund_requests.status, 'asked'))
  if (event !== 'check' && (await tx.$count(refund_requests, isRefundAsked)) > 0)
    throw new Problem('payments.not_waiting')
  return record
}
