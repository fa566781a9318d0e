// After a restore: reads the provider's lists of paid checkouts, refunds and disputes back to before the backup. What the
// shop does not have is stored like an event, so that its job makes the purchase again, or settles it. Events reach back
// 30 days only; these lists have no end.
import { and, asc, eq, isNull, like, not } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#platform/db/client.ts'
import type { Payments } from '#platform/stripe/payments.ts'
import type { Services } from '../../services.ts'
import { handleEvent } from './events.ts'
import { checkout_searches, payment_events } from './schema.ts'
import { storeLostCheckouts, insertLostAdjustments } from './store-lost.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'settings' | 'clock'>
type List = (typeof checkout_searches.$inferSelect)['list']

/** Of a hundred each. */
const pagesARound = 10

/**
 * So many days before the backup: the clocks of the database and of the provider differ, a refund may fail a month after
 * it was made, and a dispute is decided months after it was opened. What the shop has is passed over.
 */
const marginDays: Record<List, number> = { checkouts: 1, refunds: 60, disputes: 365 }
const lists = checkout_searches.list.enumValues

export async function beginSearch(db: Db, backedUpAt: Date): Promise<void> {
  const sinceOf = (list: List) => new Date(backedUpAt.getTime() - marginDays[list] * 24 * 3_600_000)
  await db
    .insert(checkout_searches)
    .values(lists.map((list) => ({ id: uuidv7(), list, since: sinceOf(list) })))
}

export async function isSearching(db: Db): Promise<boolean> {
  return (await db.$count(checkout_searches, isNull(checkout_searches.finished_at))) > 0
}

/**
 * Goes on with each search that has not come to its end. Safe to repeat, also concurrently: what is found is stored
 * once.
 */
export async function continueSearches(
  services: Needs,
  payments: Payments,
  { pages = pagesARound }: { pages?: number } = {},
): Promise<void> {
  const { db, clock } = services
  const open = await db
    .select()
    .from(checkout_searches)
    .where(isNull(checkout_searches.finished_at))
    .orderBy(asc(checkout_searches.created_at), asc(checkout_searches.list))
  for (const { id, list, since, read_to } of open) {
    let after = read_to ?? undefined
    for (let page = 0; page < pages; page += 1) {
      const listed = await storePage(services, payments, list, { from: since, after })
      after = listed.last ?? after
      const place = listed.hasMore ? { read_to: after } : { read_to: after, finished_at: clock() }
      await db.update(checkout_searches).set(place).where(eq(checkout_searches.id, id))
      if (!listed.hasMore) break
    }
  }
}

async function storePage(
  services: Needs,
  payments: Payments,
  list: List,
  wanted: { from: Date; after: string | undefined },
): Promise<{ last: string | undefined; hasMore: boolean }> {
  if (list === 'checkouts') {
    const { checkouts, hasMore } = await payments.listPaidCheckouts(wanted)
    await storeLostCheckouts(services, checkouts)
    return { last: checkouts.at(-1)?.session_id, hasMore }
  }
  const { listed, hasMore } = await payments.listAdjustments(list, wanted)
  await insertLostAdjustments(services, list, listed)
  return { last: listed.at(-1)?.external_id, hasMore }
}

/**
 * All searches to their end, and all that was found looked up: before the shop opens, so that no buyer is asked to pay
 * once more. Throws payments.unavailable; the running shop then goes on with it.
 */
export async function finishSearches(services: Services, payments: Payments): Promise<void> {
  const { db, config } = services
  await continueSearches(services, payments, { pages: Infinity })
  const isOfSearch = not(like(payment_events.id, 'evt\\_%'))
  const found = await db
    .select({ id: payment_events.id })
    .from(payment_events)
    .where(and(isOfSearch, isNull(payment_events.handled_at)))
  const ids = found.values()
  const work = async () => {
    for (const { id } of ids) await handleEvent(services, id)
  }
  await Promise.all(Array.from({ length: config.stripe.callsAtOnce }, work))
}
