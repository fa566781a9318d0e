import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { setUseCounted } from '#domains/orders/apply-discount.ts'
import { takeCopies } from '#domains/catalog/stock.ts'
import { isCompleted, leftOf, type PurchaseStatus } from '#contract/orders/purchases.ts'
import type { ReportedAdjustment } from '#platform/stripe/payments.ts'
import type { Cents } from '#contract/money.ts'
import type { Transaction } from '#platform/db/client.ts'
import { refund_requests, failed_refunds } from '#tables/payments.ts'
import { adjustments, purchases } from '#tables/purchases.ts'
import type { Services } from '#platform/services.ts'
import { notifyAuthor } from '#domains/mail/author-emails.ts'
import type { Actor } from '#platform/audit-log.ts'
import { recordPurchaseEvent } from '#domains/orders/record-purchase-event.ts'
import { withdrawals } from '#tables/withdrawals.ts'
import { statusAfterAdjustments } from './payment-states.ts'
import { refundMailJob } from './refund-email-job.ts'

/** No external id is used twice. */
const reversalOf = (external_id: string) => `${external_id}:reversed`
const reversalKinds = { refund: 'refund_failed', dispute: 'dispute_won' } as const

const provider: Actor = { id: null, email: 'Stripe', ip: null }

// The purchase must be locked, `reportedAdjustments` in order of time. A dispute takes no more than refunds have left.
export async function saveAdjustments(
  tx: Transaction,
  queue: Services['queue'],
  purchase_id: string,
  reportedAdjustments: readonly ReportedAdjustment[],
): Promise<PurchaseStatus> {
  const rows = await tx.select().from(adjustments).where(eq(adjustments.purchase_id, purchase_id))
  const stored = new Map(rows.map((row) => [row.external_id, row]))
  for (const { isReversed, key, external_id, kind, amount, created_at } of reportedAdjustments) {
    const before = stored.get(external_id)
    if (!before && isReversed && kind === 'dispute') continue
    const news = { purchase_id, external_id, kind, amount, created_at, isBuyerEmailed: !isReversed }
    const taken = before ? -before.amount : await takeNews(tx, queue, news, key)
    if (isReversed && !stored.has(reversalOf(external_id))) {
      const reversal = { kind: reversalKinds[kind], amount: taken, external_id: reversalOf(external_id) }
      await adjust(tx, queue, { purchase_id, ...reversal, isBuyerEmailed: true })
      await recordNews(tx, { purchase_id, ...reversal })
    }
  }
  return setStatus(tx, purchase_id, reportedAdjustments)
}

async function takeNews(
  tx: Transaction,
  queue: Services['queue'],
  news: Omit<Taking, 'note'>,
  key: string | null,
): Promise<Cents> {
  const [request] = key ? await tx.select().from(refund_requests).where(isRequest(news.purchase_id, key)) : []
  const words = request && [request.is_by_buyer && 'By the buyer', request.reason].filter(Boolean)
  const taken = await insertAdjustment(tx, queue, { ...news, note: words?.join(': ') ?? '' })
  if (!request) await recordNews(tx, { purchase_id: news.purchase_id, kind: news.kind, amount: taken })
  if (news.kind === 'dispute') await notifyAuthor(tx, { queue }, 'dispute', news.purchase_id)
  return taken
}

/** A refund that was made at the provider may have a key that is not ours. */
const isRequest = (purchase_id: string, key: string) =>
  and(eq(refund_requests.purchase_id, purchase_id), sql`${refund_requests.id}::text = ${key}`)

type News = Pick<typeof adjustments.$inferInsert, 'purchase_id' | 'kind' | 'amount'>

async function recordNews(tx: Transaction, { purchase_id, kind, amount }: News) {
  await recordPurchaseEvent(tx, provider, { action: newsActions[kind], purchase_id, detail: { amount } })
}

const newsActions = {
  refund: 'payments.refunded',
  refund_failed: 'payments.refund_failed',
  dispute: 'payments.disputed',
  dispute_won: 'payments.dispute_won',
} as const

type Taking = {
  /** False for a refund that had failed before the shop heard of it. */
  isBuyerEmailed: boolean
  note: string
  purchase_id: string
  kind: ReportedAdjustment['kind']
  amount: Cents
  external_id: string | null
  created_at?: Date
}

export async function insertAdjustment(
  tx: Transaction,
  queue: Services['queue'],
  { amount, ...taking }: Taking,
): Promise<Cents> {
  const [row] = await tx.select().from(purchases).where(eq(purchases.id, taking.purchase_id))
  if (!row) throw new Error('money went back of a purchase that does not exist')
  const left = leftOf(row)
  const taken = amount < left ? amount : left
  await adjust(tx, queue, { ...taking, amount: -taken })
  return taken
}

/** The bank itself notifies of a dispute. */
async function adjust(
  tx: Transaction,
  queue: Services['queue'],
  { isBuyerEmailed, ...row }: Omit<typeof adjustments.$inferInsert, 'id'> & { isBuyerEmailed: boolean },
) {
  const id = uuidv7()
  await tx.insert(adjustments).values({ id, ...row })
  const isRefund = row.kind === 'refund' || row.kind === 'refund_failed'
  if (isBuyerEmailed && isRefund && row.amount !== 0n)
    await queue.enqueue(tx, refundMailJob, { adjustment_id: id })
}

/** Already `refunded` when the shop first saw it, it stays so when its dispute is lost. */
async function setStatus(
  tx: Transaction,
  purchase_id: string,
  reportedAdjustments: readonly ReportedAdjustment[],
): Promise<PurchaseStatus> {
  const [purchase] = await tx.select().from(purchases).where(eq(purchases.id, purchase_id))
  if (!purchase) throw new Error('money went back of a purchase that does not exist')
  const rows = await tx.select().from(adjustments).where(eq(adjustments.purchase_id, purchase_id))
  const lost = reportedAdjustments.filter(
    ({ kind, isReversed, isOpen }) => kind === 'dispute' && !isReversed && !isOpen,
  )
  const countOf = (wanted: string) => rows.filter(({ kind }) => kind === wanted).length
  const notWon = countOf('dispute') - countOf('dispute_won')
  const openDisputes = purchase.status === 'refunded' ? notWon - lost.length : notWon
  const status = statusAfterAdjustments(purchase, openDisputes)
  if (status !== purchase.status)
    await tx.update(purchases).set({ status }).where(eq(purchases.id, purchase_id))
  if (status === 'refunded')
    await tx
      .update(withdrawals)
      .set({ decision: 'given', decided_at: sql`clock_timestamp()` })
      .where(and(eq(withdrawals.purchase_id, purchase_id), isNull(withdrawals.decided_at)))
  if (purchase.status === 'refunded' && isCompleted(status)) {
    await setUseCounted(tx, purchase_id, true)
    // The refund has failed: a copy is to be sent after all.
    await takeCopies(tx, purchase_id)
  }
  return status
}

export async function saveFailedRefunds(
  tx: Transaction,
  purchase_id: string,
  reportedAdjustments: readonly ReportedAdjustment[],
): Promise<string[]> {
  const added: string[] = []
  for (const { external_id, amount, currency, key, failure } of reportedAdjustments) {
    if (!failure) continue
    const [isNew] = await tx
      .insert(failed_refunds)
      .values({ external_id, purchase_id, amount, currency, reason: failure })
      .onConflictDoNothing()
      .returning({ external_id: failed_refunds.external_id })
    if (!isNew) continue
    added.push(external_id)
    if (key)
      await tx
        .update(refund_requests)
        .set({ status: 'failed', problem: failure })
        .where(isRequest(purchase_id, key))
  }
  return added
}
