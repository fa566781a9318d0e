// The search after a restore. Events reach back 30 days only; the lists of checkouts, refunds and disputes have no end.
import { dayMs, hourMs } from '#contract/durations.ts'
import { fromCents, type Cents } from '#contract/money.ts'
import { and, asc, eq, isNull, like, not, inArray, desc, isNotNull, lt, lte, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#platform/db/client.ts'
import {
  type Payments,
  type ListedCheckout,
  type ListedAdjustment,
  type ProviderEvent,
  unconfirmedCopyOf,
} from '#platform/stripe/payments.ts'
import { handleEvent, receiveEvents, paymentEventJob, readMissedEvents } from './events.ts'
import { checkout_searches, payment_events, checkouts, refund_requests } from '#tables/payments.ts'
import { purchases, guest_checkouts } from '#tables/orders.ts'
import { adjustments } from '#tables/payments.ts'
import { isOwnCheckout } from './rebuilt-purchases.ts'
import { buyerEmail } from '#domains/orders/guest-owners.ts'
import { profiles } from '#tables/accounts.ts'
import { products } from '#tables/catalog.ts'
import { maxRebuiltShown, type RebuiltPurchases } from '#contract/payments/needs-attention.ts'
import { Problem } from '#platform/problem.ts'
import { scheduleNextCheck } from './next-checks.ts'
import { refundJob } from './refunds.ts'
import { settlePurchase } from './settle.ts'
import { isShownAsTest } from '#domains/orders/entitlements.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

type List = (typeof checkout_searches.$inferSelect)['list']

const pagesARound = 10

/** Clocks differ, a refund may fail a month after it was made, and a dispute is decided months after it was opened. */
const marginDays: Record<List, number> = { checkouts: 1, refunds: 60, disputes: 365 }
const lists = checkout_searches.list.enumValues

export async function beginSearch(db: Db, backedUpAt: Date) {
  const sinceOf = (list: List) => new Date(backedUpAt.getTime() - marginDays[list] * dayMs)
  await db
    .insert(checkout_searches)
    .values(lists.map((list) => ({ id: uuidv7(), list, since: sinceOf(list) })))
}

export async function isSearching(db: Db): Promise<boolean> {
  return (await db.$count(checkout_searches, isNull(checkout_searches.finished_at))) > 0
}

async function continueSearches(
  services: CommerceShop,
  payments: Payments,
  { pages = pagesARound }: { pages?: number } = {},
) {
  const { db, clock } = services
  const open = await db
    .select()
    .from(checkout_searches)
    .where(isNull(checkout_searches.finished_at))
    .orderBy(asc(checkout_searches.created_at), asc(checkout_searches.list))
  for (const { id, list, since, read_to } of open) {
    let after = read_to ?? undefined
    for (let page = 0; page < pages; page += 1) {
      const listed = await readPage(services, payments, list, { from: since, after })
      after = listed.last ?? after
      const progress = listed.hasMore ? { read_to: after } : { read_to: after, finished_at: clock() }
      await db.update(checkout_searches).set(progress).where(eq(checkout_searches.id, id))
      if (!listed.hasMore) break
    }
  }
}

async function readPage(
  services: CommerceShop,
  payments: Payments,
  list: List,
  range: { from: Date; after: string | undefined },
) {
  if (list === 'checkouts') {
    const { checkouts, hasMore } = await payments.listPaidCheckouts(range)
    await insertLostCheckouts(services, checkouts)
    return { last: checkouts.at(-1)?.session_id, hasMore }
  }
  const { listed, hasMore } = await payments.listAdjustments(list, range)
  await insertLostAdjustments(services, list, listed)
  return { last: listed.at(-1)?.external_id, hasMore }
}

/** Runs before the shop opens, so that no buyer is asked to pay once more. The running shop continues where Stripe is away. */
export async function finishSearches(services: CommerceShop, payments: Payments) {
  const { db, config } = services
  await continueSearches(services, payments, { pages: Infinity })
  const isOfSearch = not(like(payment_events.id, 'evt\\_%'))
  const result = await db
    .select({ id: payment_events.id })
    .from(payment_events)
    .where(and(isOfSearch, isNull(payment_events.handled_at)))
  const ids = result.values()
  const work = async () => {
    for (const { id } of ids) await handleEvent(services, id)
  }
  await Promise.all(Array.from({ length: config.stripe.callsAtOnce }, work))
}

/** The checkout's id is the event's, so that it is looked up once, however often it is listed. */
async function insertLostCheckouts(services: CommerceShop, listed: readonly ListedCheckout[]) {
  const { db } = services
  const own = listed.filter((checkout) => isOwnCheckout(services, checkout))
  const ids = own.map(({ session_id }) => session_id)
  const stored = await db
    .select({ id: checkouts.session_id })
    .from(checkouts)
    .where(inArray(checkouts.session_id, ids))
    .union(
      db
        .select({ id: payment_events.session_id })
        .from(payment_events)
        .where(inArray(payment_events.session_id, ids)),
    )
  const isStored = new Set(stored.map(({ id }) => id))
  const lost = own.filter(({ session_id }) => !isStored.has(session_id))
  const type = 'checkout.session.completed'
  const events = lost.map(({ session_id: id, payment_intent, created_at }) => {
    return { id, type, session_id: id, payment_intent, purchase_id: null, created_at }
  })
  await receiveEvents(services, events)
}

const types = { refunds: 'refund.updated', disputes: 'charge.dispute.updated' } as const

/** The status is part of the event's id, so that each is looked up once. Disputes change for months: all are looked up. */
async function insertLostAdjustments(
  services: CommerceShop,
  list: keyof typeof types,
  listed: readonly ListedAdjustment[],
) {
  const intents = listed.flatMap(({ payment_intent }) => payment_intent ?? [])
  const paid = await services.db
    .select({ id: checkouts.payment_intent })
    .from(checkouts)
    .where(inArray(checkouts.payment_intent, intents))
  const ids = listed.map(({ external_id }) => external_id)
  const saved = await services.db
    .select({ id: adjustments.external_id })
    .from(adjustments)
    .where(inArray(adjustments.external_id, ids))
  const isPaid = new Set(paid.map(({ id }) => id))
  const isSaved = new Set(saved.map(({ id }) => id))
  const lost = listed.flatMap(({ external_id, status, payment_intent, created_at }): ProviderEvent[] => {
    const isKnown = list === 'refunds' && status === 'succeeded' && isSaved.has(external_id)
    if (!payment_intent || !isPaid.has(payment_intent) || isKnown) return []
    const event = { session_id: null, payment_intent, purchase_id: null, created_at }
    return [{ id: `${external_id}:${status}`, type: types[list], ...event }]
  })
  await receiveEvents(services, lost)
}

type RebuiltItem = RebuiltPurchases['items'][number]

const isRebuilt = isNotNull(checkouts.rebuilt_at)

export async function listRebuilt({ db, payments, settings }: CommerceShop): Promise<RebuiltPurchases> {
  const { id, number, amount, currency, status, created_at } = purchases
  const own = { id, number, amount, currency, status, created_at }
  const rows = await db
    .select({
      ...own,
      email: buyerEmail,
      product_name: products.name,
      is_test: isShownAsTest(sql`${purchases}`),
    })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .leftJoin(guest_checkouts, eq(guest_checkouts.purchase_id, purchases.id))
    .where(isRebuilt)
    .orderBy(desc(checkouts.rebuilt_at), desc(checkouts.purchase_id))
    .limit(maxRebuiltShown)
  const count = rows.length < maxRebuiltShown ? rows.length : await db.$count(checkouts, isRebuilt)
  const isAsking = payments.mode() !== 'none' && unconfirmedCopyOf(settings) === undefined
  const is_searching = isAsking && (await isSearching(db))
  return { is_searching, count, items: rows.map(toItem) }
}

type RebuiltRow = Omit<RebuiltItem, 'created_at' | 'amount'> & { created_at: Date; amount: Cents }

function toItem({ created_at, ...row }: RebuiltRow): RebuiltItem {
  return { ...row, amount: fromCents(row.amount), created_at: created_at.toISOString() }
}

const batchSize = 200
/** Older events and refunds may have no job any more, as after a restore of the database. */
const lostJobMs = hourMs
/** The provider is away after so many consecutive requests of each worker without a response. */
const maxUnanswered = 5

const awayCodes: ReadonlySet<string> = new Set(['payments.unavailable', 'payments.not_available'])

type Reconciled = { checked: number; failed: number }

// A failed purchase is asked about in a later round. While the provider is away the round ends early.
export async function reconcile(services: CommerceShop): Promise<Reconciled> {
  const { clock, log } = services
  const payments = unconfirmedCopyOf(services.settings) ? undefined : services.payments.current()
  if (!payments) return { checked: 0, failed: 0 }
  const due = clock()
  await readMissedEvents(services, payments).catch((error: unknown) =>
    log.warn({ err: error }, 'the list of events could not be read'),
  )
  await continueSearches(services, payments).catch((error: unknown) =>
    log.warn({ err: error }, 'the list of paid checkouts could not be read'),
  )
  await enqueueLostJobs(services, due)
  return settleAll(services, dueCheckouts(services, due))
}

async function enqueueLostJobs({ db, queue }: CommerceShop, due: Date) {
  const since = new Date(due.getTime() - lostJobMs)
  const isOldEvent = lt(payment_events.received_at, since)
  const isOpen = and(isNull(payment_events.handled_at), isNull(payment_events.problem))
  const hasJob = queue.isUnderWay(paymentEventJob, 'event_id', payment_events.id)
  const events = await db
    .select({ event_id: payment_events.id })
    .from(payment_events)
    .where(and(isOpen, isOldEvent, not(hasJob)))
    .limit(batchSize)
  for (const event of events) await queue.enqueue(db, paymentEventJob, event)
  const isOldRequest = and(eq(refund_requests.status, 'requested'), lt(refund_requests.created_at, since))
  const hasRefundJob = queue.isUnderWay(refundJob, 'request_id', sql`${refund_requests.id}::text`)
  const requests = await db
    .select({ request_id: refund_requests.id })
    .from(refund_requests)
    .where(and(isOldRequest, not(hasRefundJob)))
    .limit(batchSize)
  for (const request of requests) await queue.enqueue(db, refundJob, request)
}

type DueCursor = { next_check_at: string; purchase_id: string }

/** A checkout that is asked about gets a later turn, so a round ends. */
async function* dueCheckouts({ db }: CommerceShop, due: Date): AsyncGenerator<string> {
  let last: DueCursor | undefined
  for (;;) {
    const isNext =
      last &&
      sql`(${checkouts.next_check_at}, ${checkouts.purchase_id}) > (${last.next_check_at}::timestamptz, ${last.purchase_id}::uuid)`
    const batch: DueCursor[] = await db
      .select({
        // Text, as a Date would lose the microseconds.
        next_check_at: sql<string>`${checkouts.next_check_at}::text`,
        purchase_id: checkouts.purchase_id,
      })
      .from(checkouts)
      .where(and(lte(checkouts.next_check_at, due), isNext))
      .orderBy(asc(checkouts.next_check_at), asc(checkouts.purchase_id))
      .limit(batchSize)
    for (const { purchase_id } of batch) yield purchase_id
    last = batch.at(-1)
    if (batch.length < batchSize) return
  }
}

async function settleAll(services: CommerceShop, ids: AsyncGenerator<string>): Promise<Reconciled> {
  const { config, log } = services
  const workers = config.stripe.callsAtOnce
  const total: Reconciled = { checked: 0, failed: 0 }
  let unanswered = 0
  const work = async () => {
    for await (const purchase_id of ids) {
      total.checked += 1
      try {
        await settlePurchase(services, purchase_id, { isBrief: true })
        unanswered = 0
      } catch (error) {
        total.failed += 1
        log.warn({ err: error, purchase_id }, 'a purchase could not be reconciled')
        const isAway = error instanceof Problem && awayCodes.has(error.code)
        unanswered = isAway ? unanswered + 1 : 0
        if (!isAway) await scheduleNextCheck(services, purchase_id)
      }
      // Leaving the loop ends it for the other workers, too.
      if (unanswered >= maxUnanswered * workers) return
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return total
}
