// Withdrawals from purchases: declared by their buyers, refunded or refused by the author.
import { eq, sql, and, isNull, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { profiles } from '#tables/accounts.ts'
import { hasNoPassword } from '#domains/accounts/accounts.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { notifyAuthor } from '#domains/mail/author-emails.jobs.ts'
import { hasFile } from '#domains/catalog/product-sql.ts'
import { products } from '#tables/catalog.ts'
import { purchases, shipments } from '#tables/orders.ts'
import { withdrawals } from '#tables/payments.ts'
import { otherOrder } from '#domains/orders/entitlements.ts'
import { coversPaperAlone, refundRight, waitingReason, wasOut } from '#domains/orders/refund-right.ts'
import {
  closeDeclarations,
  countsFrom,
  declaredAt,
  lockDeclaration,
  reopenLinks,
} from '#domains/orders/withdrawal-declarations.ts'
import { fill } from '#words/texts.ts'
import { responsesTexts } from '#words/refusals.ts'
import type { Transaction } from '#platform/db/client.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { recordPurchaseEvent } from '#domains/orders/purchase-changes.ts'
import type { Actor } from '#platform/audit-log.ts'
import type { WaitingReason } from '#contract/orders/purchases.ts'
import { isCompleted, leftOf } from '#contract/orders/purchase-status.ts'
import { takeFreeOrderBack } from './free-orders.ts'
import { isOutOfReach, lockPurchase, refundPurchase, requestRefund } from './refunds.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export const withdrawalMailJob = defineMailJob({
  name: 'mail.withdrawal',
  kinds: ['withdrawal', 'withdrawal_refused'],
  payload: z.object({ purchase_id: z.uuid(), news: z.enum(['declared', 'refused']) }),
  async compose({ db }, { purchase_id, news }, branding) {
    const [row] = await db
      .select({
        to: profiles.email,
        display_name: sql<string | null>`buyer_name(${purchases.id})`,
        has_no_password: hasNoPassword(sql`${purchases.user_id}`),
        number: purchases.number,
        bought_at: purchases.created_at,
        product_name: products.name,
        has_access: sql<boolean>`(${products.is_digital} and ${hasFile}
          and ${wasOut(sql`${products}`, sql`${withdrawals.declared_at}`)})`,
        shipped_at: shipments.shipped_at,
        declared_at: withdrawals.declared_at,
        reason: withdrawals.reason,
        waits_for: withdrawals.waits_for,
        refusal: withdrawals.refusal,
        right: refundRight(sql`${purchases}`, sql`${withdrawals.declared_at}`),
        is_of_paper: coversPaperAlone(sql`${purchases}`, sql`${withdrawals.declared_at}`),
        other_order: otherOrder(sql`${purchases}`),
      })
      .from(withdrawals)
      .innerJoin(purchases, eq(purchases.id, withdrawals.purchase_id))
      .innerJoin(products, eq(products.id, purchases.product_id))
      .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
      .leftJoin(shipments, eq(shipments.purchase_id, purchases.id))
      .where(eq(withdrawals.purchase_id, purchase_id))
    if (!row) return undefined
    const { declaredEmail, refusedEmail } = await import('./withdrawals.emails.ts')
    const render = news === 'declared' ? declaredEmail : refusedEmail
    const email = { ...(await render(row, branding)), replyTo: branding.authorEmail }
    return { kind: news === 'declared' ? 'withdrawal' : 'withdrawal_refused', purchase_id, email }
  },
})

type WithdrawalRequest = {
  purchase_id: string
  reason: string
  /** Where no right is left, the author is asked. */
  is_request?: boolean
  /** The account that must own it. */
  user_id: string | null
  /** The declaration from which it counts. Where no right is left, the author accepts it, or decides once it is proven. */
  declaration?: { id: string; declared_at: Date; is_accepted: boolean }
}

/** `now()` is older than the declaration for which the transaction has waited. */
const clockNow = sql`clock_timestamp()`

/** One on a page, without a proof, counts from its own time. */
const declared = sql`coalesce(${declaredAt(sql`${purchases}`)}, ${clockNow})`

/** Stored and acknowledged once, however often it is called; called again, it asks for money that did not arrive. */
export async function declareWithdrawal(services: CommerceShop, actor: Actor, request: WithdrawalRequest) {
  const { db, queue, payments, clock } = services
  const { purchase_id, reason, declaration } = request
  const is_accepted = declaration?.is_accepted === true
  await db.transaction(async (tx) => {
    if (declaration && is_accepted) await lockDeclaration(tx, declaration.id)
    await lockRepeats(tx, request)
    const purchase = await lockPurchase(tx, purchase_id)
    if (!purchase) throw orderProblem('purchases.not_found')
    if (purchase.amount === 0n && !declaration)
      return takeFreeOrderBack(tx, queue, actor, { purchase_id, is_by_buyer: true })
    const [before] = await tx.select().from(withdrawals).where(eq(withdrawals.purchase_id, purchase_id))
    if (before?.decision === 'refused')
      throw orderProblem('purchases.not_refundable', {
        detail: fill(responsesTexts.refundRefused, { refusal: before.refusal ?? '' }),
      })
    const hasMoney = purchase.payment_intent !== null && isCompleted(purchase.status) && leftOf(purchase) > 0n
    if (!hasMoney || isOutOfReach(purchase, payments)) {
      // Another press has taken effect, and the money may be back already.
      if (before && !is_accepted) return
      throw orderProblem('purchases.not_refundable')
    }
    // The author has refunded the paper part.
    const isPartly = before?.waits_for === 'downloaded' && purchase.status === 'partially_refunded'
    if (isPartly && before.decision === 'given') throw orderProblem('purchases.not_refundable')
    const isWaiting = before?.decision === null
    const { waits_for, right } = before
      ? { waits_for: await updateReason(tx, purchase, before), right: null }
      : await insertWithdrawal(tx, purchase, request)
    await closeDeclarations(tx, { purchase_id, id: declaration?.id }, clock())
    const amount = leftOf(purchase)
    if (!before) await queue.enqueue(tx, withdrawalMailJob, { purchase_id, news: 'declared' })
    // One that was taken back may be asked for anew.
    if (waits_for && !is_accepted && !isWaiting)
      await notifyAuthor(tx, services, 'refund_asked', purchase_id, clock().toISOString())
    if (!waits_for && !purchase.isAsked)
      await requestRefund(tx, queue, { purchase_id, amount, reason, is_by_buyer: true })
    if (before && (isWaiting || purchase.isAsked)) return
    const detail = { amount, reason }
    const byBuyer = right === 'law' ? 'purchases.withdrawn' : 'purchases.refund_asked'
    const action = is_accepted ? 'withdrawals.accepted' : byBuyer
    await recordPurchaseEvent(tx, actor, { action, purchase_id, detail })
  })
}

/** Makes one of two purchases of the same product that are given back at the same moment the first. */
async function lockRepeats(
  tx: Transaction,
  { purchase_id, user_id }: Pick<WithdrawalRequest, 'purchase_id' | 'user_id'>,
) {
  const [own] = await tx
    .select({ user_id: purchases.user_id, product_id: purchases.product_id })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  if (!own?.user_id || own.user_id !== user_id) throw orderProblem('purchases.not_found')
  const key = `withdrawal ${own.user_id} ${own.product_id}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

type RefundState = { isAsked: boolean; isAllAsked: boolean }

async function insertWithdrawal(
  tx: Transaction,
  request: RefundState,
  { purchase_id, reason, declaration, is_request = false }: WithdrawalRequest,
) {
  const own = declaration && sql`${declaration.declared_at}::timestamptz`
  const at = own ? countsFrom(sql`${purchases}`, own) : declared
  const basis = await findReason(tx, request, purchase_id, at)
  // A declaration that its link has proven is a request where no right is left.
  if (!basis.right && !declaration && !is_request) throw orderProblem('purchases.not_refundable')
  const waits_for = reasonOf(basis, declaration?.is_accepted === true)
  const decided = waits_for ? {} : { decision: 'given' as const, decided_at: clockNow }
  const declared_at = sql`${basis.declared_at}::timestamptz`
  await tx.insert(withdrawals).values({ purchase_id, reason, waits_for, declared_at, ...decided })
  return { waits_for, right: basis.right }
}

type Basis = Pick<Awaited<ReturnType<typeof findReason>>, 'right' | 'waits_for'>

function reasonOf({ right, waits_for }: Basis, is_accepted: boolean): WaitingReason | null {
  if (!is_accepted) return right ? waits_for : 'no_right'
  // The author has looked at it.
  return waits_for === 'repeat' ? null : waits_for
}

/** A declaration whose money did not arrive may have to wait now, as when the parcel left meanwhile. */
async function updateReason(tx: Transaction, request: RefundState, before: typeof withdrawals.$inferSelect) {
  const { purchase_id, decision } = before
  if (decision === null) return before.waits_for
  const hadToWait = before.waits_for !== null && before.waits_for !== 'downloaded'
  if (hadToWait || request.isAsked) return null
  const { waits_for } = await findReason(tx, request, purchase_id)
  if (waits_for)
    await tx
      .update(withdrawals)
      .set({ waits_for, decision: null, decided_at: null })
      .where(eq(withdrawals.purchase_id, purchase_id))
  return waits_for
}

async function findReason(
  tx: Transaction,
  { isAsked, isAllAsked }: RefundState,
  purchase_id: string,
  at: SQL = declared,
) {
  const [row] = await tx
    .select({
      declared_at: sql<string>`(${at})::text`,
      right: refundRight(sql`${purchases}`, at),
      waits_for: waitingReason(sql`${purchases}`, at),
    })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  if (!row) throw orderProblem('purchases.not_found')
  return { ...row, waits_for: row.waits_for ?? (isAsked && !isAllAsked ? ('other_refund' as const) : null) }
}

export async function refundWithdrawal(services: CommerceShop, actor: Actor, purchase_id: string) {
  await services.db.transaction(async (tx) => {
    const { reason } = await lockWaiting(tx, purchase_id)
    await refundPurchase(tx, services, actor, {
      purchase_id,
      reason: reason && `The buyer’s reason: ${reason}`,
    })
  })
}

type OwnRequest = { purchase_id: string; user_id: string | null; isSignedIn: boolean }

/**
 * Takes back a request that waits for the author, so that the book is the buyer's as before. Returns false where the author
 * has decided meanwhile. A withdrawal by the law has ended the contract and stays, and one by the promise stays for who only
 * has a link: the promise may be over by now. Throws purchases.not_found and payments.not_waiting.
 */
export async function takeRequestBack(
  { db }: CommerceShop,
  actor: Actor,
  { purchase_id, user_id, isSignedIn }: OwnRequest,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const purchase = await lockPurchase(tx, purchase_id)
    if (!purchase?.user_id || purchase.user_id !== user_id) throw orderProblem('purchases.not_found')
    const isOfPurchase = eq(withdrawals.purchase_id, purchase_id)
    const [declared] = await tx
      .select({
        decision: withdrawals.decision,
        right: refundRight(sql`${purchases}`, sql`${withdrawals.declared_at}`),
      })
      .from(withdrawals)
      .innerJoin(purchases, eq(purchases.id, withdrawals.purchase_id))
      .where(isOfPurchase)
    // Another press of the same button has taken effect.
    if (!declared) return true
    const isBound = declared.right === 'law' || (declared.right === 'promise' && !isSignedIn)
    if (isBound) throw orderProblem('payments.not_waiting')
    if (declared.decision !== null || !isCompleted(purchase.status) || purchase.isAllAsked) return false
    await tx.delete(withdrawals).where(isOfPurchase)
    await reopenLinks(tx, purchase_id)
    await recordPurchaseEvent(tx, actor, { action: 'withdrawals.taken_back', purchase_id })
    return true
  })
}

const boundBy = {
  promise: 'The promise that was made with this purchase holds, so the money has to go back.',
  law: 'The right of withdrawal may hold for this purchase, so the money has to go back.',
}

type Refused = { purchase_id: string; sentence: string }

export async function refuseWithdrawal(
  { db, queue }: CommerceShop,
  actor: Actor,
  { purchase_id, sentence }: Refused,
) {
  await db.transaction(async (tx) => {
    const { right } = await lockWaiting(tx, purchase_id)
    if (right === 'law' || right === 'promise')
      throw orderProblem('withdrawals.bound', { detail: boundBy[right] })
    await tx
      .update(withdrawals)
      .set({ decision: 'refused', refusal: sentence, decided_at: clockNow })
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

export async function findBuyer({ db }: CommerceShop, purchase_id: string) {
  const [buyer] = await db
    .select({ user_id: profiles.user_id, email: sql<string>`lower(${profiles.email})` })
    .from(purchases)
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(purchases.id, purchase_id))
  return buyer
}
