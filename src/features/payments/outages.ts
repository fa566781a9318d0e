// Stretches of time in which nobody could begin a payment: from the first buyer who was refused, after all retries, until
// the next checkout that opens. In the database, as several processes and a restart share one.
import { eq, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Services } from '../../services.ts'
import { outageMailJob } from './outage-email-job.ts'
import { payment_outage_buyers, payment_outages } from './schema.ts'

type Reason = (typeof payment_outages.$inferSelect)['reason']

const reasons = new Map<string, Reason>([
  ['payments.unavailable', 'unavailable'],
  ['payments.not_available', 'denied'],
])

/** A buyer who could not pay counts once. A failure to store it is only logged: the buyer is refused anyway. */
export async function recordRefused(
  { db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>,
  user_id: string,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Refusal ? reasons.get(error.code) : undefined
  if (!reason) return
  try {
    await db.transaction(async (tx) => {
      const began = { id: uuidv7(), reason, began_at: clock() }
      await tx.insert(payment_outages).values(began).onConflictDoNothing()
      const open = tx
        .select({ id: payment_outages.id })
        .from(payment_outages)
        .where(isNull(payment_outages.ended_at))
        .for('share')
      // Undefined where another checkout has opened in this moment: the buyer's next click will, too.
      const [outage] = await open
      if (!outage) return
      await tx.insert(payment_outage_buyers).values({ outage_id: outage.id, user_id }).onConflictDoNothing()
    })
  } catch (failure) {
    log.warn({ err: failure }, 'a buyer who could not pay was not counted')
  }
}

/** To be called where a new checkout is stored: the author is told in the same transaction, and so once. */
export async function endOutage(
  { queue, clock, log }: Pick<Services, 'queue' | 'clock' | 'log'>,
  tx: Transaction,
): Promise<void> {
  const [over] = await tx
    .update(payment_outages)
    .set({ ended_at: clock() })
    .where(isNull(payment_outages.ended_at))
    .returning()
  if (!over) return
  await queue.enqueue(tx, outageMailJob, { outage_id: over.id })
  const people = await tx.$count(payment_outage_buyers, eq(payment_outage_buyers.outage_id, over.id))
  log.warn({ outage_id: over.id, people }, 'payments can be begun again; people could not pay before')
}
