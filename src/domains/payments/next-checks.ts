// The times at which a payment is looked at again, without a word from the provider: the first check, later ones, and those
// that a clock set back has put off.
import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { dayMs, hourMs } from '#contract/durations.ts'
import { maxReservationMs } from '#domains/orders/guest-checkouts.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { Services } from '#platform/services.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import { checkouts } from '#tables/payments.ts'
import { findCheckout, type CheckoutRecord } from './checkout-records.ts'
import { stateOf, stepAfter } from './payment-states.ts'

const firstPauseRounds = 2
const maxPauseMs = 12 * hourMs
const checkDays = 90

const invoiceTimeoutMs = 3 * dayMs

export const oneMoreCheck = { checks: sql`${checkouts.checks} + 1` }

/** The webhook or the buyer's return settles most payments by then. */
const roundsBeforeFirstCheck = 5

export function firstCheck({ config, clock }: CommerceShop): Date {
  const pause = Math.min(roundsBeforeFirstCheck * config.stripe.roundMs, maxReservationMs)
  return new Date(clock().getTime() + pause)
}

function endOfReservation({ created_at, is_reserving, status }: CheckoutRecord, now: Date): number {
  const end = created_at.getTime() + maxReservationMs
  return is_reserving && status === 'pending' && end > now.getTime() ? end : Infinity
}

function pauseAfter(checks: number, config: Services['config']): number {
  return Math.min(firstPauseRounds * 2 ** Math.min(checks, 16) * config.stripe.roundMs, maxPauseMs)
}

export function nextInvoiceCheck(
  { config, clock }: CommerceShop,
  { checks, created_at }: Pick<CheckoutRecord, 'checks' | 'created_at'>,
  { awaits_invoice }: Pick<Checkout, 'awaits_invoice'>,
): Date | null {
  const now = clock().getTime()
  if (!awaits_invoice || now - created_at.getTime() > invoiceTimeoutMs) return null
  return new Date(now + pauseAfter(checks, config))
}

export async function updateNextCheck(
  db: Services['db'] | Transaction,
  { config, clock }: CommerceShop,
  record: CheckoutRecord,
) {
  const { id, checks, created_at } = record
  const now = clock()
  const next = Math.min(now.getTime() + pauseAfter(checks, config), endOfReservation(record, now))
  const isTooOld = now.getTime() - created_at.getTime() > checkDays * dayMs
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

/** Postpones a purchase about which the provider refuses to answer, or every round would ask about it. */
export async function scheduleNextCheck(services: CommerceShop, id: string) {
  const record = await findCheckout(services.db, id)
  if (record) await updateNextCheck(services.db, services, record)
}

/** A clock that was far ahead and was set back leaves checks that are due only then. */
export async function rescheduleOverdueChecks({ db, clock }: CommerceShop) {
  const latest = new Date(clock().getTime() + 2 * maxPauseMs)
  await db.update(checkouts).set({ next_check_at: clock() }).where(gt(checkouts.next_check_at, latest))
}
