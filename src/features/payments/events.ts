// Events from the provider's webhook: each is stored once, acknowledged at once, and looked up by a job.
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { ProviderEvent } from '#platform/stripe/payments.ts'
import { checkouts, payment_events } from './schema.ts'
import { defineJob } from '#platform/job.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { settlePurchase } from './settle.ts'
import { adoptCheckout, findUnmatched } from './unmatched-payment.ts'
import { rebuildPurchase } from './rebuild-purchase.ts'

/** An event that was received before changes nothing. */
export async function receiveEvents(
  { db, queue }: Pick<Services, 'db' | 'queue'>,
  events: readonly ProviderEvent[],
): Promise<void> {
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
  run: (services: Services, { event_id }) => handleEvent(services, event_id),
})

/** One that was handled before changes nothing. */
export async function handleEvent(services: Services, event_id: string): Promise<void> {
  const { db, clock } = services
  const [event] = await db.select().from(payment_events).where(eq(payment_events.id, event_id))
  if (!event || event.handled_at) return
  // Nothing can be looked up without the keys: it waits until they are back.
  if (!services.payments.current()) throw new Problem('payments.not_set')
  const purchase_id = (await findPurchase(services, event)) ?? (await rebuildPurchase(services, event))
  // A purchase of another shop on the same account has no status here.
  if (purchase_id) await settlePurchase(services, purchase_id)
  const problem = purchase_id ? undefined : await findUnmatched(services, event)
  const outcome = problem ? { problem } : { handled_at: clock(), problem: null }
  await db.update(payment_events).set(outcome).where(eq(payment_events.id, event_id))
}

/** Undefined for an event of another shop on the same account. */
async function findPurchase(
  { db, payments, settings }: Pick<Services, 'db' | 'payments' | 'settings'>,
  { session_id, payment_intent, purchase_id }: Omit<ProviderEvent, 'id' | 'type' | 'created_at'>,
): Promise<string | undefined> {
  if (purchase_id) return purchase_id
  const bySession = (id: string) =>
    db.select({ id: checkouts.purchase_id }).from(checkouts).where(eq(checkouts.session_id, id))
  if (session_id)
    return (await bySession(session_id))[0]?.id ?? adoptCheckout({ db, payments, settings }, session_id)
  if (!payment_intent) return undefined
  const [found] = await db
    .select({ id: checkouts.purchase_id })
    .from(checkouts)
    .where(eq(checkouts.payment_intent, payment_intent))
  if (found) return found.id
  // It came before its purchase was settled: only the provider knows its checkout.
  const session = await payments.current()?.findCheckout(payment_intent)
  return session ? (await bySession(session))[0]?.id : undefined
}
