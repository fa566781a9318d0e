import { fill } from '#words/fill.ts'
import { responsesTexts } from '#words/refusals.ts'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Services } from '#platform/services.ts'
import type { Actor } from '#platform/audit-log.ts'
import { recordPurchaseEvent } from '#domains/orders/record-purchase-event.ts'
import { notifyAuthor } from '#domains/mail/author-emails.ts'
import { isCompleted, leftOf } from '#contract/orders/purchases.ts'
import { purchases } from '#tables/purchases.ts'
import { shipments } from '#tables/shipping.ts'
import type { WaitingReason } from '#contract/orders/withdrawals.ts'
import { isBeforeRelease, refundRight, wasReturnedBefore } from '#domains/orders/refund-period.ts'
import { closeDeclarations, countsFrom, declaredAt, lockDeclaration } from '#domains/orders/declarations.ts'
import { withdrawals } from '#tables/withdrawals.ts'
import { isOutOfReach, lockPurchase, refundPurchase, requestRefund } from './refunds.ts'
import { withdrawalMailJob } from './withdrawal-email-job.ts'

type Wanted = {
  purchase_id: string
  reason: string
  /** Whose it must be. */
  user_id: string | null
  /** From which it counts. The author may accept it also where the buyer has no right any more. */
  declaration?: { id: string; declared_at: Date; is_accepted: boolean }
}

/** `now()` is older than the declaration for which the transaction has waited. */
const now = sql`clock_timestamp()`

/** One on a page, without a proof, counts from its own time. */
const declared = sql`coalesce(${declaredAt(sql`${purchases}`)}, ${now})`

/** Stored and acknowledged once, however often it is called; called again, it asks for money that did not arrive. */
export async function declareWithdrawal(services: Services, actor: Actor, wanted: Wanted) {
  const { db, queue, payments, clock } = services
  const { purchase_id, reason, declaration } = wanted
  const is_accepted = declaration?.is_accepted === true
  await db.transaction(async (tx) => {
    if (declaration && is_accepted) await lockDeclaration(tx, declaration.id)
    await lockRepeats(tx, wanted)
    const purchase = await lockPurchase(tx, purchase_id)
    if (!purchase) throw orderProblem('purchases.not_found')
    const hasMoney = purchase.payment_intent !== null && isCompleted(purchase.status) && leftOf(purchase) > 0n
    if (!hasMoney || isOutOfReach(purchase, payments)) throw orderProblem('purchases.not_refundable')
    const [before] = await tx.select().from(withdrawals).where(eq(withdrawals.purchase_id, purchase_id))
    if (before?.decision === 'refused')
      throw orderProblem('purchases.not_refundable', {
        detail: fill(responsesTexts.refundRefused, { refusal: before.refusal ?? '' }),
      })
    const isWaiting = before?.decision === null
    const waits_for = before
      ? await updateReason(tx, purchase, before)
      : await insertWithdrawal(tx, purchase, wanted)
    await closeDeclarations(tx, { purchase_id, id: declaration?.id }, clock())
    const amount = leftOf(purchase)
    if (!before) await queue.enqueue(tx, withdrawalMailJob, { purchase_id, news: 'declared' })
    if (waits_for && !is_accepted) await notifyAuthor(tx, services, 'refund_asked', purchase_id)
    if (!waits_for && !purchase.isAsked)
      await requestRefund(tx, queue, { purchase_id, amount, reason, is_by_buyer: true })
    if (before && (isWaiting || purchase.isAsked)) return
    const detail = { amount, reason }
    const action = is_accepted ? 'withdrawals.accepted' : 'purchases.refund_asked'
    await recordPurchaseEvent(tx, actor, { action, purchase_id, detail })
  })
}

/** Of two purchases of the same product that are given back at the same moment, one is the first. */
async function lockRepeats(
  tx: Transaction,
  { purchase_id, user_id }: Pick<Wanted, 'purchase_id' | 'user_id'>,
) {
  const [own] = await tx
    .select({ user_id: purchases.user_id, product_id: purchases.product_id })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  if (!own?.user_id || own.user_id !== user_id) throw orderProblem('purchases.not_found')
  const key = `withdrawal ${own.user_id} ${own.product_id}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

type Asked = { isAsked: boolean; isAllAsked: boolean }

async function insertWithdrawal(tx: Transaction, asked: Asked, { purchase_id, reason, declaration }: Wanted) {
  const own = declaration && sql`${declaration.declared_at}::timestamptz`
  const at = own ? countsFrom(sql`${purchases}`, own) : declared
  const found = await findReason(tx, asked, purchase_id, at)
  if (!found.right && !declaration?.is_accepted) throw orderProblem('purchases.not_refundable')
  // The author has looked at it.
  const isSettled = declaration?.is_accepted && found.waits_for === 'repeat'
  const waits_for = isSettled ? null : found.waits_for
  const decided = waits_for ? {} : { decision: 'given' as const, decided_at: now }
  const declared_at = sql`${found.declared_at}::timestamptz`
  await tx.insert(withdrawals).values({ purchase_id, reason, waits_for, declared_at, ...decided })
  return waits_for
}

/** A declaration whose money did not arrive may have to wait now, as when the parcel left meanwhile. */
async function updateReason(tx: Transaction, asked: Asked, before: typeof withdrawals.$inferSelect) {
  const { purchase_id, decision } = before
  if (decision === null) return before.waits_for
  if (before.waits_for || asked.isAsked) return null
  const { waits_for } = await findReason(tx, asked, purchase_id)
  if (waits_for)
    await tx
      .update(withdrawals)
      .set({ waits_for, decision: null, decided_at: null })
      .where(eq(withdrawals.purchase_id, purchase_id))
  return waits_for
}

async function findReason(
  tx: Transaction,
  { isAsked, isAllAsked }: Asked,
  purchase_id: string,
  at: SQL = declared,
) {
  const [found] = await tx
    .select({
      declared_at: sql<string>`(${at})::text`,
      right: refundRight(sql`${purchases}`, at),
      shipped_at: shipments.shipped_at,
      isRepeat: sql<boolean>`(${wasReturnedBefore(sql`${purchases}`, at)}
        and not ${isBeforeRelease(sql`${purchases}`, at)})`,
    })
    .from(purchases)
    .leftJoin(shipments, eq(shipments.purchase_id, purchases.id))
    .where(eq(purchases.id, purchase_id))
  if (!found) throw orderProblem('purchases.not_found')
  return { ...found, waits_for: waitsFor({ ...found, isPartAsked: isAsked && !isAllAsked }) }
}

type Circumstances = { shipped_at: Date | null; isRepeat: boolean; isPartAsked: boolean }

function waitsFor({ shipped_at, isRepeat, isPartAsked }: Circumstances): WaitingReason | null {
  if (shipped_at) return 'return'
  if (isRepeat) return 'repeat'
  return isPartAsked ? 'other_refund' : null
}

export async function refundWithdrawal(services: Services, actor: Actor, purchase_id: string) {
  const { reason } = await services.db.transaction((tx) => lockWaiting(tx, purchase_id))
  const note = ['By the buyer', reason].filter(Boolean).join(': ')
  await refundPurchase(services, actor, { purchase_id, reason: note })
}

const boundBy = {
  promise: 'The promise that was made with this purchase holds, so the money has to go back.',
  law: 'The right of withdrawal may hold for this purchase, so the money has to go back.',
}

type Refused = { purchase_id: string; sentence: string }

export async function refuseWithdrawal(
  { db, queue }: Services,
  actor: Actor,
  { purchase_id, sentence }: Refused,
) {
  await db.transaction(async (tx) => {
    const { right } = await lockWaiting(tx, purchase_id)
    if (right === 'law' || right === 'promise')
      throw orderProblem('withdrawals.bound', { detail: boundBy[right] })
    await tx
      .update(withdrawals)
      .set({ decision: 'refused', refusal: sentence, decided_at: now })
      .where(eq(withdrawals.purchase_id, purchase_id))
    await queue.enqueue(tx, withdrawalMailJob, { purchase_id, news: 'refused' })
    const detail = { sentence }
    await recordPurchaseEvent(tx, actor, { action: 'withdrawals.refused', purchase_id, detail })
  })
}

/** Refuses also while all of the money is on its way back. */
async function lockWaiting(tx: Transaction, purchase_id: string) {
  const purchase = await lockPurchase(tx, purchase_id)
  const [waiting] = await tx
    .select({
      reason: withdrawals.reason,
      right: refundRight(sql`${purchases}`, sql`${withdrawals.declared_at}`),
    })
    .from(withdrawals)
    .innerJoin(purchases, eq(purchases.id, withdrawals.purchase_id))
    .where(and(eq(withdrawals.purchase_id, purchase_id), isNull(withdrawals.decided_at)))
  if (!purchase || !waiting || !isCompleted(purchase.status) || purchase.isAllAsked)
    throw orderProblem('payments.not_waiting')
  return waiting
}
