// Whose a purchase becomes that was begun with an address only.
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import type { Services } from '#platform/services.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import { purchases } from '#tables/purchases.ts'
import { guest_checkouts } from '#tables/guest-checkout.ts'

/** In the transaction that records the payment. The purchase's row must be locked, and no copies taken yet. */
export async function assignGuestPurchase(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  purchase_id: string,
): Promise<void> {
  const [guest] = await tx.select().from(guest_checkouts).where(eq(guest_checkouts.purchase_id, purchase_id))
  if (!guest) throw new Error('a purchase has neither a user nor an address')
  const { user_id } = await findOrAddUnconfirmed(tx, guest.email, clock())
  await tx.update(purchases).set({ user_id }).where(eq(purchases.id, purchase_id))
  await tx.update(guest_checkouts).set({ network: null }).where(eq(guest_checkouts.purchase_id, purchase_id))
}

/** Whose purchase it is, or will be: for queries that left join profiles and guest_checkouts. */
export const buyerEmail = sql<string>`coalesce(profiles.email, guest_checkouts.email)`
