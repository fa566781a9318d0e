// Reads some of the provider's own list of events in every round: what no webhook brought is stored as if it had.
import { eq } from 'drizzle-orm'
import type { EventPage, Payments } from '#platform/stripe/payments.ts'
import type { Db } from '#platform/db/client.ts'
import { events_read } from './schema.ts'
import type { Services } from '../../services.ts'
import { receiveEvents } from './events.ts'

/** Of a hundred events each. */
const pagesARound = 10
/** An event may be listed somewhat later than it was made. */
const overlapMs = 10 * 60_000

/**
 * New events first; where there are more than a round may read, the next one goes on. Each statement about what was read
 * stays true while other processes read, so the last write may win.
 */
export async function readMissedEvents(
  services: Pick<Services, 'db' | 'queue'>,
  payments: Payments,
): Promise<void> {
  const { db } = services
  let place = await findPlace(db, payments.isLive)
  let after: string | undefined
  for (let page = 0; page < pagesARound; page += 1) {
    const from = place.seen_to && new Date(place.seen_to.getTime() - overlapMs)
    const listed = await payments.listEvents({ from, to: place.oldest, after })
    await receiveEvents(services, listed.events)
    place = move(place, listed)
    await db.insert(events_read).values(place).onConflictDoUpdate({ target: events_read.is_live, set: place })
    if (!listed.hasMore) return
    after = listed.events.at(-1)?.id
  }
}

type Place = typeof events_read.$inferSelect

async function findPlace(db: Db, is_live: boolean): Promise<Place> {
  const [place] = await db.select().from(events_read).where(eq(events_read.is_live, is_live))
  return place ?? { is_live, seen_to: null, newest: null, oldest: null }
}

function move({ is_live, seen_to, ...place }: Place, { events, hasMore }: EventPage): Place {
  const newest = place.newest ?? events[0]?.created_at ?? null
  if (!hasMore) return { is_live, seen_to: newest ?? seen_to, newest: null, oldest: null }
  return { is_live, seen_to, newest, oldest: events.at(-1)?.created_at ?? place.oldest }
}
