// The buyer's button: the declaration is stored and acknowledged at once; the money goes back by itself, or waits for the
// author.
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordPurchaseEvent, type Actor } from '../audit/audit-log.ts'
import { ask, isOutOfReach, lockPurchase } from './refunds.ts'
import { isCompleted, leftOf } from '../purchases/contract/purchases.ts'
import { purchases } from '../purchases/schema.ts'
import { shipments } from '../shipping/schema.ts'
import type { WaitingReason } from '../withdrawals/contract/withdrawals.ts'
import { isWithinRefundPeriod, wasReturnedBefore } from '../withdrawals/refund-period.ts'
import { withdrawals } from '../withdrawals/schema.ts'
import { insertWithdrawal, reopenWithdrawal } from '../withdrawals/store-withdrawal.ts'
import { withdrawalMailJob } from './withdrawal-email-job.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'payments'>
type Wanted = { purchase_id: string; reason: string }

/**
 * All that is left of one's own purchase; access ends at once. Stored and acknowledged once, however often it is
 * called; called again, it asks for money that did not arrive.
 */
export async function declareWithdrawal(
  { db, queue, payments }: Needs,
  user: Actor,
  { purchase_id, reason }: Wanted,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRepeats(tx, user, purchase_id)
    const purchase = await lockPurchase(tx, purchase_id)
    if (!purchase) throw new Problem('purchases.not_found')
    const hasMoney = purchase.payment_intent !== null && isCompleted(purchase.status) && leftOf(purchase) > 0
    if (!hasMoney || isOutOfReach(purchase, payments)) throw new Problem('purchases.not_refundable')
    const [before] = await tx.select().from(withdrawals).where(eq(withdrawals.purchase_id, purchase_id))
    if (before?.decision === 'refused')
      throw new Problem('purchases.not_refundable', { detail: `The author has refused: ${before.refusal}` })
    const isWaiting = before?.decision === null
    const waits_for = before
      ? await findReasonAgain(tx, purchase, before)
      : await insert(tx, purchase, { purchase_id, reason })
    const amount = leftOf(purchase)
    if (!before) await queue.enqueue(tx, withdrawalMailJob, { purchase_id, news: 'declared' })
    if (!waits_for && !purchase.isAsked)
      await ask(tx, queue, { purchase_id, amount, reason, is_by_buyer: true })
    if (before && (isWaiting || purchase.isAsked)) return
    const detail = { amount, reason }
    await recordPurchaseEvent(tx, user, { action: 'purchases.refund_asked', purchase_id, detail })
  })
}

/**
 * Serialized for each buyer and product: of two purchases of the same thing that are given back at the same moment, one
 * is the first.
 */
async function lockRepeats(tx: Transaction, user: Actor, purchase_id: string): Promise<void> {
  const [own] = await tx
    .select({ user_id: purchases.user_id, product_id: purchases.product_id })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  if (!own || own.user_id !== user.id) throw new Problem('purchases.not_found')
  const key = `withdrawal ${own.user_id} ${own.product_id}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

type Asked = { isAsked: boolean; isAllAsked: boolean }

/** Why it waits for the author, if it does. */
async function insert(
  tx: Transaction,
  asked: Asked,
  { purchase_id, reason }: Wanted,
): Promise<WaitingReason | null> {
  const { isWithinRefundPeriod: isInTime, waits_for } = await findReason(tx, asked, purchase_id)
  if (!isInTime) throw new Problem('purchases.not_refundable')
  await insertWithdrawal(tx, { purchase_id, reason, waits_for })
  return waits_for
}

/**
 * Of a declaration whose money did not arrive: what went back by itself may have to wait now, as when the parcel has left
 * meanwhile. What the author has decided stays.
 */
async function findReasonAgain(
  tx: Transaction,
  asked: Asked,
  before: typeof withdrawals.$inferSelect,
): Promise<WaitingReason | null> {
  const { purchase_id, decision } = before
  if (decision === null) return before.waits_for
  if (before.waits_for || asked.isAsked) return null
  const { waits_for } = await findReason(tx, asked, purchase_id)
  if (waits_for) await reopenWithdrawal(tx, purchase_id, waits_for)
  return waits_for
}

async function findReason(tx: Transaction, { isAsked, isAllAsked }: Asked, purchase_id: string) {
  const [found] = await tx
    .select({
      isWithinRefundPeriod,
      shipped_at: shipments.shipped_at,
      isRepeat: wasReturnedBefore(sql`${purchases}`, sql`clock_timestamp()`),
    })
    .from(purchases)
    .leftJoin(shipments, eq(shipments.purchase_id, purchases.id))
    .where(eq(purchases.id, purchase_id))
  if (!found) throw new Problem('purchases.not_found')
  return { ...found, waits_for: waitsFor({ ...found, isPartAsked: isAsked && !isAllAsked }) }
}

type Found = { shipped_at: Date | null; isRepeat: boolean; isPartAsked: boolean }

function waitsFor({ shipped_at, isRepeat, isPartAsked }: Found): WaitingReason | null {
  if (shipped_at) return 'return'
  if (isRepeat) return 'repeat'
  return isPartAsked ? 'other_refund' : null
}
