// When the reconciler asks about a purchase again: later and later, and after 90 days no more.
import { and, eq, lte, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { checkouts } from '../../db/schema/payments.ts'
import type { Services } from '../../services.ts'

type Needs = Pick<Services, 'config' | 'clock'>
type Known = { id: string; checks: number; created_at: Date }

const firstPauseRounds = 2
const longestPauseMs = 12 * 3_600_000
const patienceMs = 90 * 24 * 3_600_000

/** However often a buyer asks in between; after 90 days the author is told. */
export async function postpone(
  db: Services['db'] | Transaction,
  { config, clock }: Needs,
  { id, checks, created_at }: Known,
): Promise<void> {
  const now = clock()
  const pause = Math.min(
    firstPauseRounds * 2 ** Math.min(checks, 16) * config.payments!.roundMs,
    longestPauseMs,
  )
  const isHopeless = now.getTime() - created_at.getTime() > patienceMs
  await db
    .update(checkouts)
    .set({
      checks: sql`${checkouts.checks} + 1`,
      next_check_at: isHopeless ? null : new Date(now.getTime() + pause),
      ...(isHopeless && { held_reason: 'It is still pending after 90 days.' }),
    })
    .where(and(eq(checkouts.purchase_id, id), lte(checkouts.next_check_at, now)))
}

/** What the provider answers with a refusal is not asked in every round. */
export async function putOff({ db, ...services }: Needs & Pick<Services, 'db'>, id: string): Promise<void> {
  const [known] = await db.select().from(checkouts).where(eq(checkouts.purchase_id, id))
  if (known) await postpone(db, services, { ...known, id })
}
