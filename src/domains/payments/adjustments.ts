// Saves refunds and disputes that Stripe reports as adjustments of a purchase, and mails their buyers.
import { eq, sql, and, isNull, not, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { RefundNews } from './payments.emails.ts'
import { paidCurrency } from './checkout-records.ts'
import { recordRefunded } from './webhook-data.ts'
import { statusAfterAdjustments } from './payment-states.ts'
import { checkouts, failed_refunds, refund_requests } from '#tables/payments.ts'
import { profiles } from '#tables/accounts.ts'
import { products } from '#tables/catalog.ts'
import { purchases } from '#tables/orders.ts'
import { adjustments, withdrawals } from '#tables/payments.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isPaidFor, isShownAsTest, otherOrder } from '#domains/orders/entitlements.ts'
import { coversPaperAlone } from '#domains/orders/refund-right.ts'
import { hasFile, isReleased } from '#domains/catalog/product-sql.ts'
import { hasNoPassword } from '#domains/accounts/accounts.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import type { MailBranding } from '#domains/mail/email-layout.ts'
import type { OutgoingMail } from '#domains/mail/shop.ts'
import { notifyAuthor } from '#domains/mail/author-emails.jobs.ts'
import { v7 as uuidv7 } from 'uuid'
import { setUseCounted } from '#domains/orders/discounts.ts'
import { takeCopies } from '#domains/orders/buy.ts'
import { isCompleted, leftOf, type PurchaseStatus } from '#contract/orders/purchase-status.ts'
import type { ReportedAdjustment } from '#platform/stripe/payments.ts'
import { sharedTax, type Cents } from '#contract/money.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { Actor } from '#platform/audit-log.ts'
import { recordPurchaseEvent, updatePurchase } from '#domains/orders/purchase-changes.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export const refundMailJob = defineMailJob({
  name: 'mail.refund',
  kinds: ['refund', 'refund_failed'],
  /** A held payment that went back has no adjustment: it never was a purchase. */
  payload: z.union([
    z.object({ adjustment_id: z.uuid() }),
    z.object({ held_purchase_id: z.uuid() }),
    z.object({ failed_refund: z.string() }),
    z.object({ taken_back: z.uuid() }),
  ]),
  async compose(services: CommerceShop, payload, branding) {
    if ('taken_back' in payload) return composeTakenBack(services, payload.taken_back, branding)
    const news = await readNews(services, payload)
    if (!news) return undefined
    const { refundEmail } = await import('./payments.emails.ts')
    const email = { ...(await refundEmail(news, branding)), replyTo: branding.authorEmail }
    return { kind: news.kind, purchase_id: news.purchase_id, email }
  },
})

type Payload = Exclude<z.output<(typeof refundMailJob)['payload']>, { taken_back: string }>

async function composeTakenBack(
  { db }: CommerceShop,
  purchase_id: string,
  branding: MailBranding,
): Promise<OutgoingMail<'refund'> | undefined> {
  const [order] = await db
    .select(about)
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(purchases.id, purchase_id))
  if (!order) return undefined
  const { takenBackEmail } = await import('./payments.emails.ts')
  const email = { ...(await takenBackEmail(order, branding)), replyTo: branding.authorEmail }
  return { kind: 'refund', purchase_id, email }
}

function readNews({ db }: CommerceShop, payload: Payload): Promise<RefundNews | undefined> {
  if ('adjustment_id' in payload) return readRefund(db, payload.adjustment_id)
  if ('held_purchase_id' in payload) return readHeldRefund(db, payload.held_purchase_id)
  return readFailedRefund(db, payload.failed_refund)
}

const about = {
  to: profiles.email,
  display_name: sql<string | null>`buyer_name(${purchases.id})`,
  has_no_password: hasNoPassword(sql`${purchases.user_id}`),
  purchase_id: purchases.id,
  number: purchases.number,
  product_name: products.name,
  has_files: sql<boolean>`(${products.is_digital} and ${isReleased} and ${hasFile})`,
  has_ended_before: sql<boolean>`exists (
    select from withdrawals w where w.purchase_id = ${purchases.id} and w.waits_for is null)`,
  is_entitled: isPaidFor(sql`${purchases}`),
  other_order: otherOrder(sql`${purchases}`),
  is_test: isShownAsTest(sql`${purchases}`),
  sold_by: sql<Seller>`coalesce((select c.sold_by from checkouts c where c.purchase_id = ${purchases.id}), 'author')`,
}
const ofHeldPayment = { kept: 0n, is_by_card: true, was_held: true }

/** `kept` as this refund left it, whatever came later. */
async function readRefund(db: Db, id: string) {
  const [row] = await db
    .select({
      ...about,
      kind: adjustments.kind,
      amount: adjustments.amount,
      currency: purchases.currency,
      is_by_card: sql<boolean>`${adjustments.external_id} is not null`,
      kept: sql`${purchases.amount} + (
        select sum(a.amount) from adjustments a where a.purchase_id = ${purchases.id} and a.id <= ${adjustments.id})`.mapWith(
        purchases.amount,
      ),
    })
    .from(adjustments)
    .innerJoin(purchases, eq(purchases.id, adjustments.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(adjustments.id, id))
  if (row?.kind !== 'refund' && row?.kind !== 'refund_failed') return undefined
  return { ...row, kind: row.kind, amount: row.amount < 0n ? -row.amount : row.amount, was_held: false }
}

async function readHeldRefund(db: Db, id: string) {
  const amount = sql`coalesce(${checkouts.paid_total}, ${purchases.amount})`.mapWith(purchases.amount)
  const [row] = await db
    .select({ ...about, amount, currency: paidCurrency })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(checkouts.purchase_id, id))
  return row && { ...row, kind: 'refund' as const, ...ofHeldPayment }
}

async function readFailedRefund(db: Db, id: string) {
  const { amount, currency, purchase_id, external_id } = failed_refunds
  const [row] = await db
    .select({ ...about, amount, currency })
    .from(failed_refunds)
    .innerJoin(purchases, eq(purchases.id, purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(external_id, id))
  return row && { ...row, kind: 'refund_failed' as const, ...ofHeldPayment }
}

/** No external id is used twice. */
const reversed = ':reversed'
const reversalOf = (external_id: string) => `${external_id}${reversed}`
const reversalKinds = { refund: 'refund_failed', dispute: 'dispute_won' } as const

export const provider: Actor = { id: null, email: 'Stripe', ip: null }

type Shop = Pick<CommerceShop, 'queue' | 'clock'>

// The purchase must be locked, `reportedAdjustments` in order of time. A dispute takes no more than refunds have left.
export async function saveAdjustments(
  tx: Transaction,
  services: Shop,
  purchase_id: string,
  reportedAdjustments: readonly ReportedAdjustment[],
): Promise<PurchaseStatus> {
  const rows = await tx.select().from(adjustments).where(eq(adjustments.purchase_id, purchase_id))
  const stored = new Map(rows.map((row) => [row.external_id, row]))
  for (const { isReversed, key, external_id, kind, amount, created_at } of reportedAdjustments) {
    const before = stored.get(external_id)
    if (!before && isReversed && kind === 'dispute') continue
    const news = { purchase_id, external_id, kind, amount, created_at, isBuyerEmailed: !isReversed }
    const taken = before ? -before.amount : await takeNewAdjustment(tx, services, news, key)
    if (isReversed && !stored.has(reversalOf(external_id))) {
      const reversal = { kind: reversalKinds[kind], amount: taken, external_id: reversalOf(external_id) }
      await adjust(tx, services, { purchase_id, ...reversal, isBuyerEmailed: true })
      await recordNews(tx, { purchase_id, ...reversal })
    }
  }
  return setStatus(tx, purchase_id, reportedAdjustments)
}

async function takeNewAdjustment(
  tx: Transaction,
  services: Shop,
  news: Omit<Taking, 'note'>,
  key: string | null,
): Promise<Cents> {
  const [request] = key ? await tx.select().from(refund_requests).where(isRequest(news.purchase_id, key)) : []
  const words = request && [request.is_by_buyer && 'By the buyer', request.reason].filter(Boolean)
  const taken = await insertAdjustment(tx, services, { ...news, note: words?.join(': ') ?? '' })
  if (!request) await recordNews(tx, { purchase_id: news.purchase_id, kind: news.kind, amount: taken })
  if (news.kind === 'dispute') await notifyAuthor(tx, services, 'dispute', news.purchase_id)
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
  services: Shop,
  { amount, ...taking }: Taking,
): Promise<Cents> {
  const [row] = await tx.select().from(purchases).where(eq(purchases.id, taking.purchase_id))
  if (!row) throw new Error('money went back of a purchase that does not exist')
  const left = leftOf(row)
  const taken = amount < left ? amount : left
  await adjust(tx, services, { ...taking, amount: -taken })
  return taken
}

type Taxed = Pick<
  typeof purchases.$inferSelect,
  'amount' | 'refunded' | 'link_tax' | 'link_tax_back' | 'currency'
>

/** The share of Link's tax in what moves: all that went back has its share of the tax, to the smallest unit of the currency. */
function linkTaxIn(amount: Cents, { currency, ...paid }: Taxed): Cents {
  if (paid.link_tax === 0n) return 0n
  const back = sharedTax(paid.link_tax, { part: paid.refunded - amount, whole: paid.amount }, currency)
  return paid.link_tax_back - back
}

/** The bank itself notifies of a dispute. */
async function adjust(
  tx: Transaction,
  services: Shop,
  { isBuyerEmailed, ...row }: Omit<typeof adjustments.$inferInsert, 'id'> & { isBuyerEmailed: boolean },
) {
  const id = uuidv7()
  const [paid] = await tx.select().from(purchases).where(eq(purchases.id, row.purchase_id))
  const link_tax = paid ? linkTaxIn(row.amount, paid) : 0n
  await tx.insert(adjustments).values({ id, ...row, link_tax })
  const isRefund = row.kind === 'refund' || row.kind === 'refund_failed'
  if (isBuyerEmailed && isRefund && row.amount !== 0n)
    await services.queue.enqueue(tx, refundMailJob, { adjustment_id: id })
  if (isBuyerEmailed && row.kind === 'refund' && row.amount !== 0n)
    await recordRefunded(tx, id, services.clock())
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
  const countOf = (name: string) => rows.filter(({ kind }) => kind === name).length
  const notWon = countOf('dispute') - countOf('dispute_won')
  const openDisputes = purchase.status === 'refunded' ? notWon - lost.length : notWon
  const status = statusAfterAdjustments(purchase, openDisputes)
  if (status !== purchase.status) await updatePurchase(tx, purchase_id, { status })
  await settleWithdrawal(tx, { purchase_id, status }, reportedAdjustments)
  // A lost dispute may still be won by an appeal: `attention.ts` leaves its purchase out instead.
  if (status === 'refunded' && lost.length === 0) await dismissFailures(tx, purchase_id)
  if (purchase.status === 'refunded' && isCompleted(status)) {
    await setUseCounted(tx, purchase_id, true)
    // The refund has failed: a copy is to be sent after all.
    await takeCopies(tx, purchase_id)
  }
  return status
}

/** Nothing of the payment is left: the author would pay twice what refunds that failed have brought back. */
async function dismissFailures(tx: Transaction, purchase_id: string): Promise<void> {
  const dismissed = { dismissed_at: sql`clock_timestamp()` }
  const { dismissed_at } = failed_refunds
  await tx
    .update(failed_refunds)
    .set(dismissed)
    .where(and(eq(failed_refunds.purchase_id, purchase_id), isNull(dismissed_at)))
  const isRefused = and(eq(refund_requests.status, 'refused'), isNull(refund_requests.dismissed_at))
  await tx
    .update(refund_requests)
    .set(dismissed)
    .where(and(eq(refund_requests.purchase_id, purchase_id), isRefused))
}

/** All of the money settles a withdrawal; the paper part does where the right covers no more, until it comes back. */
async function settleWithdrawal(
  tx: Transaction,
  { purchase_id, status }: { purchase_id: string; status: PurchaseStatus },
  reportedAdjustments: readonly ReportedAdjustment[],
): Promise<void> {
  const isOfPurchase = eq(withdrawals.purchase_id, purchase_id)
  const isOpen = and(isOfPurchase, isNull(withdrawals.decided_at))
  const settled = { decision: 'given' as const, decided_at: sql`clock_timestamp()` }
  if (status === 'refunded') await tx.update(withdrawals).set(settled).where(isOpen)
  if (status !== 'partially_refunded') return
  const isRefunded = hasPaperPart(reportedAdjustments)
  await tx
    .update(withdrawals)
    .set({ ...settled, waits_for: 'downloaded' })
    .where(and(isOpen, isOfPaper, isRefunded))
  const isSettled = and(eq(withdrawals.decision, 'given'), eq(withdrawals.waits_for, 'downloaded'))
  await tx
    .update(withdrawals)
    .set({ decision: null, decided_at: null })
    .where(and(isOfPurchase, isSettled, not(isRefunded)))
}

/** Its right covers the paper of a bundle alone, whose parcel may have left. */
const isOfPaper = sql`(${withdrawals.waits_for} = 'downloaded' or ${withdrawals.waits_for} in ('return', 'repeat') and exists (
  select from purchases b
  where b.id = ${withdrawals.purchase_id} and ${coversPaperAlone(sql`b`, sql`${withdrawals.declared_at}`)}))`

/** When the author could know of it: a declaration is older than its proof, which closes it. */
const effectiveAt = sql`greatest(${withdrawals.declared_at}, (
  select max(d.closed_at) from withdrawal_declarations d where d.purchase_id = ${withdrawals.purchase_id}))`

/** A part that was asked for since the withdrawal went back, and stayed away. Stripe's times are whole seconds. */
function hasPaperPart(reportedAdjustments: readonly ReportedAdjustment[]): SQL {
  const requests = Object.fromEntries(reportedAdjustments.map(({ external_id, key }) => [external_id, key]))
  return sql`exists (
    select from adjustments a where a.purchase_id = ${withdrawals.purchase_id} and a.kind = 'refund'
      and not exists (select from adjustments f where f.external_id = a.external_id || ${reversed})
      and coalesce(
        (select r.created_at >= ${effectiveAt} from refund_requests r
          where r.purchase_id = a.purchase_id and r.id::text = ${JSON.stringify(requests)}::jsonb ->> a.external_id),
        a.created_at >= date_trunc('second', ${effectiveAt})))`
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
