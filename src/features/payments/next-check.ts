// When the reconciler asks about a purchase again: at growing intervals, until it is `checkDays` old.
import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import type { Services } from '../../services.ts'
import { findCheckout, type CheckoutRecord } from './checkout-record.ts'
import { maxReservationMs, stateOf, stepAfter } from './payment-states.ts'

type Needs = Pick<Services, 'config' | 'clock'>
const firstPauseRounds = 2
const maxPauseMs = 12 * 3_600_000
const checkDays = 90

const invoiceTimeoutMs = 3 * 24 * 3_600_000

export const oneMoreCheck = { checks: sql`${checkouts.checks} + 1` }

/** Most payments are settled by then, by the webhook or the buyer's return. */
const roundsBeforeFirstCheck = 5

/** When a new purchase is asked about for the first time. */
export function firstCheck({ config, clock }: Needs): Date {
  const pause = Math.min(roundsBeforeFirstCheck * config.stripe.roundMs, maxReservationMs)
  return new Date(clock().getTime() + pause)
}

/** What reserves a copy or a code's use is asked about when its hour is over, and not later. */
function endOfReservation({ created_at, is_reserving, status }: CheckoutRecord, now: Date): number {
  const end = created_at.getTime() + maxReservationMs
  return is_reserving && status === 'pending' && end > now.getTime() ? end : Infinity
}

function pauseAfter(checks: number, { config }: Pick<Needs, 'config'>): number {
  return Math.min(firstPauseRounds * 2 ** Math.min(checks, 16) * config.stripe.roundMs, maxPauseMs)
}

/** Of a purchase that is paid, whose invoice may still come. */
export function nextInvoiceCheck(
  { config, clock }: Needs,
  { checks, created_at }: Pick<CheckoutRecord, 'checks' | 'created_at'>,
  { awaits_invoice }: Pick<Checkout, 'awaits_invoice'>,
): Date | null {
  const now = clock().getTime()
  if (!awaits_invoice || now - created_at.getTime() > invoiceTimeoutMs) return null
  return new Date(now + pauseAfter(checks, { config }))
}

/** Returns of the buyer in between do not count; a purchase that stays unpaid for `checkDays` is held for the author. */
export async function updateNextCheck(
  db: Services['db'] | Transaction,
  { config, clock }: Needs,
  record: CheckoutRecord,
): Promise<void> {
  const { id, checks, created_at } = record
  const now = clock()
  const next = Math.min(now.getTime() + pauseAfter(checks, { config }), endOfReservation(record, now))
  const isTooOld = now.getTime() - created_at.getTime() > checkDays * 24 * 3_600_000
  const isHeld = isTooOld && stepAfter(stateOf(record), 'too_old') === 'hold'
  await db
    .update(checkouts)
    .set({
      ...oneMoreCheck,
      next_check_at: isTooOld ? null : new Date(next),
      ...(isHeld && { held_reason: `It is still pending after ${checkDays} days.` }),
    })
    .where(and(eq(checkouts.purchase_id, id), lte(checkouts.next_check_at, now)))
}

/** A purchase about which the provider refuses to say anything is not asked about in every round. */
export async function scheduleNextCheck(
  { db, ...services }: Needs & Pick<Services, 'db'>,
  id: string,
): Promise<void> {
  const record = await findCheckout(db, id)
  if (record) await updateNextCheck(db, services, record)
}

/** A clock that was far ahead and was set back leaves checks that are due only then. */
export async function bringChecksForward({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const latest = new Date(clock().getTime() + 2 * maxPauseMs)
  await db.update(checkouts).set({ next_check_at: clock() }).where(gt(checkouts.next_check_at, latest))
}
