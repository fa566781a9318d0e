// After a restore: reads the provider's list of paid checkouts back to the moment of the backup. Each that the shop does not
// have is stored like an event of it, so that its job makes the purchase again. Events reach back 30 days only; this list
// has no end.
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import type { ListedCheckout, Payments } from '#platform/stripe/payments.ts'
import type { Services } from '../../services.ts'
import { handleEvent, receiveEvents } from './events.ts'
import { isOwnCheckout } from './own-checkout.ts'
import { checkout_searches, checkouts, payment_events } from './schema.ts'

/** Of a hundred checkouts each. */
const pagesARound = 10

/** The clocks of the database and of the provider differ; a checkout that the shop has is passed over. */
const marginMs = 24 * 3_600_000

/** `id` is the restore's: the same one begins a search once. */
export async function beginSearch(
  db: Db,
  { id, backedUpAt }: { id: string; backedUpAt: Date },
): Promise<void> {
  const since = new Date(backedUpAt.getTime() - marginMs)
  await db.insert(checkout_searches).values({ id, since }).onConflictDoNothing()
}

export async function isSearching(db: Db): Promise<boolean> {
  return (await db.$count(checkout_searches, isNull(checkout_searches.finished_at))) > 0
}

/**
 * Goes on with each search that has not come to its end. Safe to repeat, also concurrently: a checkout is stored once.
 * Throws payments.unavailable.
 */
export async function continueSearches(
  services: Pick<Services, 'db' | 'queue' | 'settings' | 'clock'>,
  payments: Payments,
  { pages = pagesARound }: { pages?: number } = {},
): Promise<void> {
  const { db, clock } = services
  const open = await db
    .select()
    .from(checkout_searches)
    .where(isNull(checkout_searches.finished_at))
    .orderBy(asc(checkout_searches.created_at))
  for (const { id, since, read_to } of open) {
    let after = read_to ?? undefined
    for (let page = 0; page < pages; page += 1) {
      const listed = await payments.listPaidCheckouts({ from: since, after })
      await storeLost(services, listed.checkouts)
      after = listed.checkouts.at(-1)?.session_id ?? after
      const place = listed.hasMore ? { read_to: after } : { read_to: after, finished_at: clock() }
      await db.update(checkout_searches).set(place).where(eq(checkout_searches.id, id))
      if (!listed.hasMore) break
    }
  }
}

/**
 * All searches to their end, and every checkout that was found looked up: before the shop opens, so that no buyer is asked
 * to pay once more. Throws payments.unavailable; the running shop then goes on with it.
 */
export async function finishSearches(services: Services, payments: Payments): Promise<void> {
  const { db, config } = services
  await continueSearches(services, payments, { pages: Infinity })
  const found = await db
    .select({ id: payment_events.id })
    .from(payment_events)
    .where(and(eq(payment_events.id, payment_events.session_id), isNull(payment_events.handled_at)))
  const ids = found.values()
  const work = async () => {
    for (const { id } of ids) await handleEvent(services, id)
  }
  await Promise.all(Array.from({ length: config.payments?.callsAtOnce ?? 1 }, work))
}

/** The id of the checkout is the event's, so that it is looked up once, however often it is listed. */
async function storeLost(
  services: Pick<Services, 'db' | 'queue' | 'settings'>,
  listed: readonly ListedCheckout[],
): Promise<void> {
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
  await receiveEvents(
    services,
    lost.map(({ session_id, payment_intent, created_at }) => ({
      id: session_id,
      type: 'checkout.session.completed',
      session_id,
      payment_intent,
      purchase_id: null,
      created_at,
    })),
  )
}
