// Asks the provider about every purchase that should have been told of by now: the webhook may have been lost.
import { and, asc, isNull, lt, lte, sql } from 'drizzle-orm'
import { checkouts, payment_events } from '../../db/schema/payments.ts'
import type { Services } from '../../services.ts'
import { paymentEventJob } from './events.ts'
import { settlePurchase } from './settle.ts'

const batchSize = 200

export type Reconciled = { asked: number; failed: number }

/**
 * One round over all that is due. At most STRIPE_CONCURRENCY questions are open at once, and no more than a batch is in
 * memory. A failure is logged and its purchase asked about again in the next round.
 */
export async function reconcile(services: Services): Promise<Reconciled> {
  const { db, queue, payments, clock } = services
  if (!payments) return { asked: 0, failed: 0 }
  const due = clock()
  const total: Reconciled = { asked: 0, failed: 0 }
  let last: Place | undefined
  for (;;) {
    const batch = await readDue(services, due, last)
    const { failed } = await settleAll(services, batch)
    total.asked += batch.length
    total.failed += failed
    last = batch.at(-1)
    if (batch.length < batchSize) break
  }
  const forgotten = await db
    .select({ id: payment_events.id })
    .from(payment_events)
    .where(
      and(
        isNull(payment_events.handled_at),
        lt(payment_events.received_at, new Date(due.getTime() - 3_600_000)),
      ),
    )
    .limit(batchSize)
  for (const { id } of forgotten) await queue.enqueue(db, paymentEventJob, { event_id: id })
  return total
}

/** The time as PostgreSQL writes it: a Date would lose its microseconds. */
type Place = { next_check_at: string; purchase_id: string }

/** In order of their turn; what is asked about gets a later one, so a round comes to its end. */
async function readDue({ db }: Services, due: Date, after: Place | undefined): Promise<Place[]> {
  const isNext =
    after &&
    sql`(${checkouts.next_check_at}, ${checkouts.purchase_id}) > (${after.next_check_at}::timestamptz, ${after.purchase_id}::uuid)`
  return db
    .select({
      next_check_at: sql<string>`${checkouts.next_check_at}::text`,
      purchase_id: checkouts.purchase_id,
    })
    .from(checkouts)
    .where(and(lte(checkouts.next_check_at, due), isNext))
    .orderBy(asc(checkouts.next_check_at), asc(checkouts.purchase_id))
    .limit(batchSize)
}

/** Workers that take one after another: as many as questions may be open. */
async function settleAll(services: Services, batch: readonly Place[]): Promise<{ failed: number }> {
  const { config, log } = services
  const waiting = batch.values()
  let failed = 0
  const work = async () => {
    for (const { purchase_id } of waiting) {
      await settlePurchase(services, purchase_id).catch((error: unknown) => {
        failed += 1
        log.warn({ err: error, purchase_id }, 'a purchase could not be reconciled')
      })
    }
  }
  await Promise.all(Array.from({ length: config.payments?.callsAtOnce ?? 1 }, work))
  return { failed }
}
