// Refunds of purchases: requested by buyers and admins, and sent to Stripe by a job.
import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { toCents } from '#contract/money.ts'
import type { AdminRefundRequest } from '#contract/orders/purchases.ts'
import { isCompleted, leftOf } from '#contract/orders/purchase-status.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts, refund_requests } from '#tables/payments.ts'
import { purchases } from '#tables/orders.ts'
import { defineJob } from '#platform/queue.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { recordPurchaseEvent } from '#domains/orders/purchase-changes.ts'
import { paymentProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { isAllAskedBack } from '#domains/orders/entitlements.ts'
import type { Actor } from '#platform/audit-log.ts'
import { paidCurrency } from './checkout-records.ts'
import { requirePayable } from '#domains/catalog/sale-mode.ts'
import { saveAdjustments, insertAdjustment } from './adjustments.ts'
import { takeFreeOrderBack } from './free-orders.ts'
import { settlePurchase } from './settle.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

/**
 * Records the refund only where no provider was paid, and for a test order once the shop is live. A free order is taken back
 * where no amount is named.
 */
export async function refundPurchase(
  tx: Transaction,
  services: CommerceShop,
  actor: Actor,
  { purchase_id, amount, reason, refunded }: AdminRefundRequest & { purchase_id: string },
) {
  const { queue, payments } = services
  const purchase = await lockPurchase(tx, purchase_id)
  if (!purchase) throw orderProblem('purchases.not_found')
  if (purchase.amount === 0n && amount === undefined)
    return takeFreeOrderBack(tx, queue, actor, { purchase_id, is_by_buyer: false })
  if (!hasMoneyLeft(purchase)) throw orderProblem('purchases.not_refundable', { detail: nothingLeft })
  if (refunded !== undefined && toCents(refunded) !== purchase.refunded)
    throw orderProblem('purchases.refunded_meanwhile')
  const cents = amount === undefined ? leftOf(purchase) : toCents(amount)
  requirePayable('amount', cents, purchase.currency)
  if (cents > leftOf(purchase))
    throw orderProblem('purchases.refund_too_large', { fields: { amount: 'That is more than is left.' } })
  const isByProvider = purchase.payment_intent !== null && !isOutOfReach(purchase, payments)
  if (isByProvider) {
    await requestRefund(tx, queue, { purchase_id, amount: cents, reason, is_by_buyer: false })
  } else {
    const byHand = { kind: 'refund' as const, external_id: null, note: reason, isBuyerEmailed: true }
    await insertAdjustment(tx, services, { purchase_id, amount: cents, ...byHand })
    await saveAdjustments(tx, services, purchase_id, [])
  }
  const action = isByProvider ? 'purchases.refunded' : 'purchases.refund_recorded'
  await recordPurchaseEvent(tx, actor, { action, purchase_id, detail: { amount: cents, reason } })
}

const nothingLeft = 'A refund of this purchase is on its way, or nothing is left of it to give back.'

export const refundJob = defineJob({
  name: 'payments.refund',
  payload: z.object({ request_id: z.uuid() }),
  async run(services: CommerceShop, { request_id }, { isLast }) {
    const { db } = services
    const [request] = await db.select().from(refund_requests).where(eq(refund_requests.id, request_id))
    if (!request) return
    const { purchase_id } = request
    try {
      // After a refusal the refund may be requested again, so a retry only settles.
      if (request.status === 'requested') await askProvider(services, request)
      else await settlePurchase(services, purchase_id)
    } catch (error) {
      if (!isLast) throw error
      // A request left open would be neither refunded nor to be requested again.
      await close(db, request_id, notReached)
      await settlePurchase(services, purchase_id)
      throw error
    }
  },
})

const notReached =
  'Stripe could not be asked in three days. Look there whether the money went back before you refund again.'

const noPayment = 'There is no payment at Stripe that it could be taken from.'

async function askProvider(services: CommerceShop, request: typeof refund_requests.$inferSelect) {
  const { db, log } = services
  const payments = services.payments.current()
  if (!payments) throw paymentProblem('payments.not_set')
  const { id: request_id, purchase_id, amount, attempt } = request
  const [checkout] = await db
    .select({ payment_intent: checkouts.payment_intent, currency: paidCurrency })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .where(eq(checkouts.purchase_id, purchase_id))
  if (!checkout?.payment_intent) return close(db, request_id, noPayment)
  const { payment_intent, currency } = checkout
  const outcome = await payments.refund({ payment_intent, amount, currency, key: request_id, attempt })
  if ('usedKey' in outcome) {
    await nextAttempt(db, { request_id, attempt })
    throw outcome.usedKey
  }
  const { refusal } = outcome
  if (refusal) {
    log.error({ purchase_id, reason: refusal }, 'a refund was refused')
    // Before the settlement, which dismisses refused requests where all of the payment is back.
    await close(db, request_id, refusal)
  }
  await settlePurchase(services, purchase_id)
  await close(db, request_id, undefined)
}

async function nextAttempt(
  db: Services['db'],
  { request_id, attempt }: { request_id: string; attempt: number },
) {
  await db
    .update(refund_requests)
    .set({ attempt: attempt + 1 })
    .where(and(eq(refund_requests.id, request_id), eq(refund_requests.attempt, attempt)))
}

/** A request that has failed or was refused meanwhile stays so. */
async function close(db: Services['db'], request_id: string, problem: string | undefined) {
  const outcome = problem ? { status: 'refused' as const, problem } : { status: 'done' as const }
  await db
    .update(refund_requests)
    .set(outcome)
    .where(and(eq(refund_requests.id, request_id), eq(refund_requests.status, 'requested')))
}

/** Locks first and reads afterwards: a transaction that had to wait sees the requests made meanwhile. */
export async function lockPurchase(tx: Transaction, purchase_id: string) {
  await tx.select({ id: purchases.id }).from(purchases).where(eq(purchases.id, purchase_id)).for('update')
  const [row] = await tx
    .select({
      user_id: purchases.user_id,
      amount: purchases.amount,
      refunded: purchases.refunded,
      status: purchases.status,
      currency: purchases.currency,
      payment_intent: checkouts.payment_intent,
      is_test: purchases.is_test,
      isAsked: sql<boolean>`exists (
        select from refund_requests where purchase_id = ${purchases.id} and refund_requests.status = 'requested')`,
      isAllAsked: isAllAskedBack(sql`${purchases}`),
    })
    .from(purchases)
    .leftJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .where(eq(purchases.id, purchase_id))
  return row
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockPurchase>>>

/** A live key does not reach test payments, and no money has to go back. */
export function isOutOfReach({ is_test }: Pick<Locked, 'is_test'>, payments: Services['payments']): boolean {
  return is_test && payments.mode() === 'live'
}

function hasMoneyLeft({ status, isAsked, ...purchase }: Locked): boolean {
  return isCompleted(status) && !isAsked && leftOf(purchase) > 0n
}

export async function requestRefund(
  tx: Transaction,
  queue: Services['queue'],
  request: Omit<typeof refund_requests.$inferInsert, 'id'>,
) {
  const id = uuidv7()
  await tx.insert(refund_requests).values({ id, ...request })
  await queue.enqueue(tx, refundJob, { request_id: id })
}
