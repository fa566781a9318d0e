// What the provider has and a restored shop does not: stored like an event, looked up by its job.
import { inArray } from 'drizzle-orm'
import type { ListedCheckout, ListedAdjustment, ProviderEvent } from '#platform/stripe/payments.ts'
import type { Services } from '../../services.ts'
import { adjustments } from '../purchases/schema.ts'
import { receiveEvents } from './events.ts'
import { isOwnCheckout } from './own-checkout.ts'
import { checkouts, payment_events } from './schema.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'settings'>

/** The id of the checkout is the event's, so that it is looked up once, however often it is listed. */
export async function storeLostCheckouts(services: Needs, listed: readonly ListedCheckout[]): Promise<void> {
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

const types = { refunds: 'refund.updated', disputes: 'charge.dispute.updated' } as const

/**
 * Of purchases that the shop has; one that it has not is made again with what went back of it. The status is part of the
 * event's id, so that each is looked up once. Disputes are few and change for months: none is passed over.
 */
export async function insertLostAdjustments(
  services: Needs,
  list: keyof typeof types,
  listed: readonly ListedAdjustment[],
): Promise<void> {
  const known = await findKnown(services, listed)
  const lost = listed.flatMap(({ external_id, status, payment_intent, created_at }): ProviderEvent[] => {
    const isStored = list === 'refunds' && status === 'succeeded' && known.stored.has(external_id)
    if (!payment_intent || !known.paid.has(payment_intent) || isStored) return []
    const event = { session_id: null, payment_intent, purchase_id: null, created_at }
    return [{ id: `${external_id}:${status}`, type: types[list], ...event }]
  })
  await receiveEvents(services, lost)
}

async function findKnown({ db }: Needs, listed: readonly ListedAdjustment[]) {
  const intents = listed.flatMap(({ payment_intent }) => payment_intent ?? [])
  const ids = listed.map(({ external_id }) => external_id)
  const paid = await db
    .select({ id: checkouts.payment_intent })
    .from(checkouts)
    .where(inArray(checkouts.payment_intent, intents))
  const stored = await db
    .select({ id: adjustments.external_id })
    .from(adjustments)
    .where(inArray(adjustments.external_id, ids))
  return { paid: new Set(paid.map(({ id }) => id)), stored: new Set(stored.map(({ id }) => id)) }
}
