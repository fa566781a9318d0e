// When the reconciler asks about a purchase again: at growing intervals, until it is `patienceDays` old.
import { and, eq, lte, sql } from 'drizzle-orm'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import type { Services } from '../../services.ts'
import { findCheckout, isUnpaid, type Known } from './checkout-record.ts'

type Needs = Pick<Services, 'config' | 'clock'>
const firstPauseRounds = 2
const longestPauseMs = 12 * 3_600_000
const patienceDays = 90

const invoicePatienceMs = 3 * 24 * 3_600_000

export const oneMoreCheck = { checks: sql`${checkouts.checks} + 1` }

function pauseAfter(checks: number, { config }: Pick<Needs, 'config'>): number {
  return Math.min(firstPauseRounds * 2 ** Math.min(checks, 16) * config.payments!.roundMs, longestPauseMs)
}

/** Of a purchase that is paid, whose invoice may still come. */
export function nextInvoiceCheck(
  { config, clock }: Needs,
  { checks, created_at }: Pick<Known, 'checks' | 'created_at'>,
  { awaits_invoice }: Pick<Checkout, 'awaits_invoice'>,
): Date | null {
  const now = clock().getTime()
  if (!awaits_invoice || now - created_at.getTime() > invoicePatienceMs) return null
  return new Date(now + pauseAfter(checks, { config }))
}

/** Returns of the buyer in between do not count; a purchase that stays unpaid for `patienceDays` is held for the author. */
export async function postpone(
  db: Services['db'] | Transaction,
  { config, clock }: Needs,
  known: Known,
): Promise<void> {
  const { id, checks, created_at } = known
  const now = clock()
  const pause = pauseAfter(checks, { config })
  const isHopeless = now.getTime() - created_at.getTime() > patienceDays * 24 * 3_600_000
  await db
    .update(checkouts)
    .set({
      ...oneMoreCheck,
      next_check_at: isHopeless ? null : new Date(now.getTime() + pause),
      ...(isHopeless &&
        isUnpaid(known) && { held_reason: `It is still pending after ${patienceDays} days.` }),
    })
    .where(and(eq(checkouts.purchase_id, id), lte(checkouts.next_check_at, now)))
}

/** What the provider answers with a refusal is not asked in every round. */
export async function putOff({ db, ...services }: Needs & Pick<Services, 'db'>, id: string): Promise<void> {
  const known = await findCheckout(db, id)
  if (known) await postpone(db, services, known)
}
