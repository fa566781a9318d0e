// Events of Stripe: each is received once, handled by a job, and read again where it was missed.
import { eq, and, lt } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs, minuteMs } from '#contract/durations.ts'
import type { ProviderEvent, EventPage, Payments } from '#platform/stripe/payments.ts'
import { checkouts, payment_events, events_read } from '#tables/payments.ts'
import { defineJob } from '#platform/queue.ts'
import { paymentProblem } from './problem.ts'
import { settlePurchase } from './settle.ts'
import { adoptCheckout, findUnmatched, rebuildPurchase } from './rebuilt-purchases.ts'
import type { Db } from '#platform/db/client.ts'
import { deleteBatches } from '#platform/db/query.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export async function receiveEvents({ db, queue }: CommerceShop, events: readonly ProviderEvent[]) {
  if (events.length === 0) return
  await db.transaction(async (tx) => {
    const isNew = await tx
      .insert(payment_events)
      .values([...events])
      .onConflictDoNothing()
      .returning({ event_id: payment_events.id })
    for (const event of isNew) await queue.enqueue(tx, paymentEventJob, event)
  })
}

export const paymentEventJob = defineJob({
  name: 'payments.event',
  maxPauseSeconds: 600,
  payload: z.object({ event_id: z.string() }),
  run: (services: CommerceShop, { event_id }) => handleEvent(services, event_id),
})

export async function handleEvent(services: CommerceShop, event_id: string) {
  const { db, clock } = services
  const [event] = await db.select().from(payment_events).where(eq(payment_events.id, event_id))
  if (!event || event.handled_at) return
  // The event waits until the keys are back.
  if (!services.payments.current()) throw paymentProblem('payments.not_set')
  const purchase_id = (await findPurchase(services, event)) ?? (await rebuildPurchase(services, event))
  // A purchase of another shop on the same account has no status here.
  if (purchase_id) await settlePurchase(services, purchase_id)
  const problem = purchase_id ? undefined : await findUnmatched(services, event)
  const outcome = problem ? { problem } : { handled_at: clock(), problem: null }
  await db.update(payment_events).set(outcome).where(eq(payment_events.id, event_id))
}

type EventIds = Pick<ProviderEvent, 'session_id' | 'payment_intent' | 'purchase_id'>

async function findPurchase(services: CommerceShop, { session_id, payment_intent, purchase_id }: EventIds) {
  const { db, payments } = services
  if (purchase_id) return purchase_id
  const bySession = (id: string) =>
    db.select({ id: checkouts.purchase_id }).from(checkouts).where(eq(checkouts.session_id, id))
  if (session_id) return (await bySession(session_id))[0]?.id ?? adoptCheckout(services, session_id)
  if (!payment_intent) return undefined
  const [row] = await db
    .select({ id: checkouts.purchase_id })
    .from(checkouts)
    .where(eq(checkouts.payment_intent, payment_intent))
  if (row) return row.id
  // The event came before its purchase was settled: only the provider knows its checkout.
  const session = await payments.current()?.findCheckout(payment_intent)
  return session ? (await bySession(session))[0]?.id : undefined
}

const pagesARound = 10
/** An event may be listed later than it was made. */
const overlapMs = 10 * minuteMs

// The last write may win: an event that was read stays read while other processes read.
export async function readMissedEvents(services: CommerceShop, payments: Payments) {
  const { db } = services
  let cursor = await findCursor(db, payments.isLive)
  let after: string | undefined
  for (let page = 0; page < pagesARound; page += 1) {
    const from = cursor.seen_to && new Date(cursor.seen_to.getTime() - overlapMs)
    const listed = await payments.listEvents({ from, to: cursor.oldest, after })
    await receiveEvents(services, listed.events)
    cursor = move(cursor, listed)
    await db
      .insert(events_read)
      .values(cursor)
      .onConflictDoUpdate({ target: events_read.is_live, set: cursor })
    if (!listed.hasMore) return
    after = listed.events.at(-1)?.id
  }
}

type EventCursor = typeof events_read.$inferSelect

async function findCursor(db: Db, is_live: boolean): Promise<EventCursor> {
  const [cursor] = await db.select().from(events_read).where(eq(events_read.is_live, is_live))
  return cursor ?? { is_live, seen_to: null, newest: null, oldest: null }
}

function move({ is_live, seen_to, ...cursor }: EventCursor, { events, hasMore }: EventPage): EventCursor {
  const newest = cursor.newest ?? events[0]?.created_at ?? null
  if (!hasMore) return { is_live, seen_to: newest ?? seen_to, newest: null, oldest: null }
  return { is_live, seen_to, newest, oldest: events.at(-1)?.created_at ?? cursor.oldest }
}

/** The provider lists and repeats events for 30 days. */
const retentionMs = 90 * dayMs

export async function sweepEvents({ db, clock }: CommerceShop) {
  const old = new Date(clock().getTime() - retentionMs)
  const isOld = and(lt(payment_events.handled_at, old), lt(payment_events.received_at, old))
  await deleteBatches(db, payment_events.id, isOld)
}
