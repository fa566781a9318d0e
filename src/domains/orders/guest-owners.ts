// The account that a purchase belongs to which was begun with an address only.
import { updatePurchase } from './purchase-changes.ts'
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { guest_checkouts, purchases } from '#tables/orders.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import type { Settings } from '#platform/settings.ts'
import { paymentMode } from '#platform/stripe/payments.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

/** Must run in the transaction that records the payment. The purchase's row must be locked, and no copies taken yet. */
export async function assignGuestPurchase(
  tx: Transaction,
  { clock }: CommerceShop,
  purchase_id: string,
): Promise<void> {
  const [guest] = await tx.select().from(guest_checkouts).where(eq(guest_checkouts.purchase_id, purchase_id))
  if (!guest) throw new Error('a purchase has neither a user nor an address')
  const { user_id } = await findOrAddUnconfirmed(tx, guest.email, clock())
  await tx.update(purchases).set({ user_id }).where(eq(purchases.id, purchase_id))
  await tx.update(guest_checkouts).set({ network: null }).where(eq(guest_checkouts.purchase_id, purchase_id))
}

/** Serves a purchase that is made again after a restore. */
export async function restoreGuest(
  tx: Transaction,
  guest: Pick<typeof guest_checkouts.$inferInsert, 'purchase_id' | 'email' | 'created_at'>,
): Promise<void> {
  await tx.insert(guest_checkouts).values(guest)
}

/** Gives the purchase to that account only; the row of the purchase must be locked. */
export async function changeOwner(
  tx: Transaction,
  { purchase_id, user_id, email }: { purchase_id: string; user_id: string; email: string },
): Promise<void> {
  await updatePurchase(tx, purchase_id, { user_id, idempotency_key: null })
  await tx.update(guest_checkouts).set({ email }).where(eq(guest_checkouts.purchase_id, purchase_id))
}

/** The present or coming owner's address, for queries that left join profiles and guest_checkouts. */
export const buyerEmail = sql<string>`coalesce(profiles.email, guest_checkouts.email)`

/** True where visitors buy with an address only. The sample's shop asks for an account first. */
export function hasGuestCheckout(
  { settings }: { settings: Pick<Settings, 'get'> },
  is_own: boolean,
): boolean {
  return is_own && settings.get().shop.has_guest_checkout && paymentMode(settings) !== 'none'
}
