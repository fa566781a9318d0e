import { unconfirmedCopyOf } from '#platform/stripe/payment-keys.ts'
import { Problem } from '#platform/problem.ts'
import { and, asc, eq, isNull, lt, lte, not, sql } from 'drizzle-orm'
import { checkouts, payment_events, refund_requests } from '#tables/payments.ts'
import type { Services } from '#platform/services.ts'
import { paymentEventJob, readMissedEvents } from './events.ts'
import { scheduleNextCheck } from './next-check.ts'
import { refundJob } from './refunds.ts'
import { continueSearches } from './search-since-backup.ts'
import { settlePurchase } from './settle.ts'

const batchSize = 200
/** Older events and refunds may have no job any more, as after a restore of the database. */
const lostJobMs = 3_600_000
/** So many consecutive requests of each worker without a response: the provider is away. */
const maxUnanswered = 5

const awayCodes: ReadonlySet<string> = new Set(['payments.unavailable', 'payments.not_available'])

export type Reconciled = { asked: number; failed: number }

// A failed purchase is asked about in a later round. While the provider is away the round ends early.
export async function reconcile(services: Services): Promise<Reconciled> {
  const { clock, log } = services
  const payments = unconfirmedCopyOf(services.settings) ? undefined : services.payments.current()
  if (!payments) return { asked: 0, failed: 0 }
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

async function enqueueLostJobs({ db, queue }: Services, due: Date) {
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
  const isOldRequest = and(eq(refund_requests.status, 'asked'), lt(refund_requests.created_at, since))
  const hasRefundJob = queue.isUnderWay(refundJob, 'request_id', sql`${refund_requests.id}::text`)
  const requests = await db
    .select({ request_id: refund_requests.id })
    .from(refund_requests)
    .where(and(isOldRequest, not(hasRefundJob)))
    .limit(batchSize)
  for (const request of requests) await queue.enqueue(db, refundJob, request)
}

type Place = { next_check_at: string; purchase_id: string }

/** What is asked about gets a later turn, so a round ends. */
async function* dueCheckouts({ db }: Services, due: Date): AsyncGenerator<string> {
  let last: Place | undefined
  for (;;) {
    const isNext =
      last &&
      sql`(${checkouts.next_check_at}, ${checkouts.purchase_id}) > (${last.next_check_at}::timestamptz, ${last.purchase_id}::uuid)`
    const batch: Place[] = await db
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

async function settleAll(services: Services, ids: AsyncGenerator<string>): Promise<Reconciled> {
  const { config, log } = services
  const workers = config.stripe.callsAtOnce
  const total: Reconciled = { asked: 0, failed: 0 }
  let unanswered = 0
  const work = async () => {
    for await (const purchase_id of ids) {
      total.asked += 1
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
