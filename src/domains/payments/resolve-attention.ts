// Resolves payments that need the author’s attention: looked up again, accepted, refunded or dismissed.
import { orderProblem } from '#domains/orders/problem.ts'
import { recordPurchaseEvent, updatePurchase } from '#domains/orders/purchase-changes.ts'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { mailProblem } from '#domains/mail/shop.ts'
import { paymentProblem } from './problem.ts'
import { assignGuestPurchase } from '#domains/orders/guest-owners.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { takeFailedMail } from '#domains/mail/sending.ts'
import { dismissDeclaration } from './declarations.ts'
import { complete, settlePurchase } from './settle.ts'
import { findCheckout, lockCheckout } from './checkout-records.ts'
import { leftOfPayment, stateOf, stepAfter, type PaymentEvent } from './payment-states.ts'
import type { DismissableKind } from '#contract/payments/dismissable-kinds.ts'
import { paymentEventJob } from './events.ts'
import { requestRefund } from './refunds.ts'
import {
  checkouts,
  failed_refunds,
  payment_events,
  payment_outages,
  refund_requests,
} from '#tables/payments.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

/** The same job once more, so that the same email arrives once however often it was tried. */
export async function sendAgain({ db, queue }: CommerceShop, actor: Actor, id: string) {
  await db.transaction(async (tx) => {
    const { recipient: subject } = requireWaiting(await takeFailedMail(tx, id))
    if (!(await queue.tryAgain(tx, id))) throw mailProblem('mails.too_old')
    await recordAuditEvent(tx, actor, { action: 'mails.sent_again', subject, subject_id: id })
  })
}

export async function lookUpAgain({ db, queue }: CommerceShop, actor: Actor, event_id: string) {
  await db.transaction(async (tx) => {
    const [event] = await tx
      .select({ subject: payment_events.type })
      .from(payment_events)
      .where(isOpenEvent(event_id))
      .for('update')
    const { subject } = requireWaiting(event)
    await queue.enqueue(tx, paymentEventJob, { event_id })
    const action = 'payments.event_tried_again'
    await recordAuditEvent(tx, actor, { action, subject, subject_id: event_id })
  })
}

type Dismissal = { kind: DismissableKind; id: string; note: string }

export async function dismiss(services: CommerceShop, actor: Actor, { kind, id, note }: Dismissal) {
  if (hasOwnId(kind) && !z.uuid().safeParse(id).success) throw orderProblem('payments.not_waiting')
  if (kind === 'held') return dismissHeld(services, actor, id, note)
  if (kind === 'unproven_withdrawal') return dismissDeclaration(services, actor, id, note)
  await services.db.transaction(async (tx) => {
    const subject = await setDismissed[kind](tx, id, services.clock())
    const detail = { note }
    await recordAuditEvent(tx, actor, { action: actions[kind], subject, subject_id: id, detail })
  })
}

const hasOwnId = (kind: DismissableKind) => kind !== 'event' && kind !== 'refund_failed'

const actions = {
  refund: 'refunds.dismissed',
  refund_failed: 'refunds.failure_dismissed',
  event: 'events.dismissed',
  mail: 'mails.dismissed',
  outage: 'outages.dismissed',
} as const

const setDismissed: Record<
  keyof typeof actions,
  (tx: Transaction, id: string, dismissed_at: Date) => Promise<string>
> = {
  async refund(tx, id, dismissed_at) {
    const isWaiting = and(eq(refund_requests.status, 'refused'), isNull(refund_requests.dismissed_at))
    const [row] = await tx
      .update(refund_requests)
      .set({ dismissed_at })
      .where(and(eq(refund_requests.id, id), isWaiting))
      .returning()
    return requireWaiting(row).purchase_id
  },
  async refund_failed(tx, id, dismissed_at) {
    const [row] = await tx
      .update(failed_refunds)
      .set({ dismissed_at })
      .where(and(eq(failed_refunds.external_id, id), isNull(failed_refunds.dismissed_at)))
      .returning()
    return requireWaiting(row).purchase_id
  },
  async event(tx, id, handled_at) {
    const [row] = await tx.update(payment_events).set({ handled_at }).where(isOpenEvent(id)).returning()
    return requireWaiting(row).type
  },
  async mail(tx, id) {
    return requireWaiting(await takeFailedMail(tx, id)).recipient
  },
  async outage(tx, id, dismissed_at) {
    const isWaiting = and(isNotNull(payment_outages.ended_at), isNull(payment_outages.dismissed_at))
    const [row] = await tx
      .update(payment_outages)
      .set({ dismissed_at })
      .where(and(eq(payment_outages.id, id), isWaiting))
      .returning()
    return requireWaiting(row).began_at.toISOString()
  },
}

const isOpenEvent = (id: string) => and(eq(payment_events.id, id), isNull(payment_events.handled_at))

function requireWaiting<Row>(row: Row | undefined): Row {
  if (!row) throw orderProblem('payments.not_waiting')
  return row
}

export async function checkHeld(services: CommerceShop, actor: Actor, purchase_id: string) {
  await services.db.transaction(async (tx) => {
    await lockPayment(tx, { purchase_id, event: 'check' })
    await recordPurchaseEvent(tx, actor, { action: 'payments.checked', purchase_id })
  })
  const status = await settlePurchase(services, purchase_id)
  const isHeld = and(isNotNull(checkouts.held_reason), isNull(checkouts.dismissed_at))
  const held = await services.db.$count(checkouts, and(eq(checkouts.purchase_id, purchase_id), isHeld))
  return held > 0 ? null : (status ?? null)
}

type DecidedState = 'held' | 'dismissed'
type Accepted = { purchase_id: string; state: DecidedState }

/** Completes it at what was really paid. The money of a dismissed payment must still be here. */
export async function acceptPayment(services: CommerceShop, actor: Actor, { purchase_id, state }: Accepted) {
  const { db } = services
  const checkout = await readPayment(services, purchase_id, state)
  const fits = checkout?.status === 'paid' && checkout.purchase_id === purchase_id
  const record = await findCheckout(db, purchase_id)
  if (!fits || checkout.currency !== record?.shop_currency) throw paymentProblem('payments.not_acceptable')
  const isBack = checkout.total > 0n && leftOfPayment(checkout) <= 0n
  const isDisputed = checkout.reportedAdjustments.some(({ isOpen }) => isOpen)
  if (state === 'dismissed' && (isBack || isDisputed)) throw paymentProblem('payments.money_gone')
  if (isBack) {
    await settlePurchase(services, purchase_id)
    throw orderProblem('payments.not_waiting')
  }
  await db.transaction(async (tx) => {
    const record = await lockPayment(tx, { purchase_id, state, event: 'accept' })
    // A free order that was taken back was never held.
    if (record.held_reason === null) throw orderProblem('payments.not_waiting')
    if (!record.user_id) await assignGuestPurchase(tx, services, purchase_id)
    await complete(services, tx, record, checkout)
    const detail = { asked: record.amount, paid: checkout.total, reason: record.held_reason }
    await recordPurchaseEvent(tx, actor, { action: 'payments.accepted', purchase_id, detail })
  })
}

export async function refundHeld(services: CommerceShop, actor: Actor, purchase_id: string) {
  const { db, queue } = services
  const checkout = await readPayment(services, purchase_id, 'held')
  if (checkout?.status !== 'paid' || !checkout.payment_intent || checkout.total <= 0n)
    throw paymentProblem('payments.nothing_paid')
  const { payment_intent, total, currency } = checkout
  const amount = leftOfPayment(checkout)
  await db.transaction(async (tx) => {
    const { held_reason: reason } = await lockPayment(tx, { purchase_id, event: 'give_back' })
    if (amount <= 0n) throw orderProblem('payments.not_waiting')
    await tx
      .update(checkouts)
      .set({ payment_intent, paid_total: total, paid_currency: currency })
      .where(eq(checkouts.purchase_id, purchase_id))
    await requestRefund(tx, queue, { purchase_id, amount, reason: reason ?? '', is_by_buyer: false })
    const detail = { amount, currency, reason }
    await recordPurchaseEvent(tx, actor, { action: 'payments.given_back', purchase_id, detail })
  })
}

async function dismissHeld({ db, clock }: CommerceShop, actor: Actor, purchase_id: string, note: string) {
  await db.transaction(async (tx) => {
    const { held_reason: reason } = await lockPayment(tx, { purchase_id, event: 'dismiss' })
    await tx
      .update(checkouts)
      .set({ dismissed_at: clock(), next_check_at: null })
      .where(eq(checkouts.purchase_id, purchase_id))
    await updatePurchase(tx, purchase_id, { status: 'canceled' })
    const detail = { note, reason }
    await recordPurchaseEvent(tx, actor, { action: 'payments.dismissed', purchase_id, detail })
  })
}

async function readPayment({ db, ...services }: CommerceShop, purchase_id: string, state: DecidedState) {
  const payments = services.payments.current()
  const record = await findCheckout(db, purchase_id)
  if (!record || stateOf(record) !== state || !payments) throw orderProblem('payments.not_waiting')
  return record.session_id ? payments.readCheckout(record.session_id) : undefined
}

async function lockPayment(
  tx: Transaction,
  { purchase_id, event, state = 'held' }: { purchase_id: string; event: PaymentEvent; state?: DecidedState },
) {
  const record = await lockCheckout(tx, purchase_id)
  if (!record || stateOf(record) !== state || !stepAfter(state, event))
    throw orderProblem('payments.not_waiting')
  const isRefundRequested = and(
    eq(refund_requests.purchase_id, purchase_id),
    eq(refund_requests.status, 'requested'),
  )
  if (event !== 'check' && (await tx.$count(refund_requests, isRefundRequested)) > 0)
    throw orderProblem('payments.not_waiting')
  return record
}
