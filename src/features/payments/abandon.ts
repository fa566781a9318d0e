// Purchases that nobody can pay any more, and those whose checkout the provider cannot be asked about.
import { and, eq, isNull } from 'drizzle-orm'
import type { PurchaseStatus } from '../purchases/contract/purchases.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { findCheckout, isUnpaid, lockCheckout, type Known } from './checkout-record.ts'
import { postpone } from './next-check.ts'

type Needs = Pick<Services, 'db' | 'config' | 'clock' | 'log'>

/** How long a checkout can be paid at most. One whose address never reached us is then over for good. */
const longestCheckoutMs = 25 * 3_600_000

export async function giveUpUnopened(services: Needs, known: Known): Promise<PurchaseStatus> {
  const { db, clock } = services
  if (known.status !== 'pending' || clock().getTime() - known.created_at.getTime() < longestCheckoutMs) {
    await postpone(db, services, known)
    return known.status
  }
  if (await endUnopened(db, known)) return 'canceled'
  return (await findCheckout(db, known.id))?.status ?? known.status
}

/**
 * Where nobody was led to a checkout: one that this attempt has made, or is just making, is then never stored or shown.
 * False when it is paid, another attempt has begun, or a checkout is stored.
 */
export async function endUnopened(
  db: Services['db'],
  { id, attempt }: Pick<Known, 'id' | 'attempt'>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const known = await lockCheckout(tx, id)
    if (!known || !isUnpaid(known)) return false
    // Storing a checkout does not lock its purchase.
    const isUnopened = and(isNull(checkouts.session_id), eq(checkouts.attempt, attempt))
    const { rowCount } = await tx
      .update(checkouts)
      .set({ ...over, attempt: attempt + 1 })
      .where(and(eq(checkouts.purchase_id, id), isUnopened))
    if (!rowCount) return false
    await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
    return true
  })
}

const over = { next_check_at: null, held_reason: null, asked: null }

/** Made with the other kind of key, which alone could ask about it. No money ever comes of a test. */
export async function leaveElsewhere(services: Needs, known: Known): Promise<PurchaseStatus> {
  if (known.status === 'pending' && !known.is_live) return services.db.transaction((tx) => end(tx, known))
  await postpone(services.db, services, known)
  return known.status
}

export const unknownCheckout =
  'Stripe does not know its checkout. Was it opened with the key of another account?'

/**
 * Of another account, or of test data that was deleted. Such a purchase keeps nobody from buying: it is over. Where money
 * may have been taken, the author is told, and it is asked about again, should the right key come back.
 */
export async function leaveUnknown(
  services: Needs,
  { id, session_id, is_live }: Known,
): Promise<PurchaseStatus> {
  return services.db.transaction(async (tx) => {
    const known = await lockCheckout(tx, id)
    if (!known || !isUnpaid(known)) throw new Error(`the provider does not know the checkout ${session_id}`)
    if (!is_live) return end(tx, known)
    await postpone(tx, services, known)
    if (known.held_reason) return known.status
    services.log.error({ purchase_id: id, session_id }, 'the provider does not know a checkout')
    await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
    await tx
      .update(checkouts)
      .set({ held_reason: unknownCheckout, url: null })
      .where(eq(checkouts.purchase_id, id))
    return 'canceled'
  })
}

/** What was paid meanwhile stays paid. */
export async function end(tx: Transaction, { id }: Pick<Known, 'id'>): Promise<PurchaseStatus> {
  const known = await lockCheckout(tx, id)
  if (!known) throw new Problem('purchases.not_found')
  if (!isUnpaid(known)) return known.status
  await tx.update(purchases).set({ status: 'canceled' }).where(eq(purchases.id, id))
  await tx.update(checkouts).set(over).where(eq(checkouts.purchase_id, id))
  return 'canceled'
}
