// Another address for a purchase that was bought under a mistyped one. The author decides; the address from before may object.
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { readerProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { isBanned, lockUser } from '#domains/accounts/accounts.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import { users } from '#tables/accounts.ts'
import type { Actor } from '#platform/audit-log.ts'
import { recordPurchaseEvent } from '#domains/orders/record-purchase-event.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { endLinks } from '#domains/orders/purchase-access.ts'
import { guest_checkouts } from '#tables/guest-checkout.ts'
import { receiptJob } from '#domains/orders/receipts.ts'
import { purchases } from '#tables/purchases.ts'
import type { MoveRequest } from '#contract/readers/moves.ts'
import { movedAwayJob } from './moved-away-email.ts'
import { purchase_moves } from '#tables/purchase-moves.ts'

/** `is_by_buyer`: by the browser that bought, once. */
type Move = MoveRequest & { id: string; purchase_id: string; is_by_buyer?: boolean }

/** Of two requests at once, the second finds the purchase moved. */
export async function movePurchase(
  { db, clock, queue }: Pick<Services, 'db' | 'clock' | 'queue'>,
  actor: Actor,
  { id, purchase_id, email, reason, is_by_buyer = false }: Move,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockPurchase(tx, purchase_id)
    if ((await tx.$count(purchase_moves, eq(purchase_moves.id, id))) > 0) return
    const isOfBuyer = and(eq(purchase_moves.purchase_id, purchase_id), eq(purchase_moves.is_by_buyer, true))
    if (is_by_buyer && (await tx.$count(purchase_moves, isOfBuyer)) > 0)
      throw orderProblem('guest_checkout.address_corrected')
    if (!before.is_entitled) throw readerProblem('purchase_moves.not_movable')
    const now = clock()
    const { user_id } = await findOrAddUnconfirmed(tx, email, now)
    if (user_id === before.user_id) throw readerProblem('purchase_moves.same_account')
    const user = await lockUser(tx, eq(users.id, user_id))
    if (!user || isBanned(user, now)) throw readerProblem('purchase_moves.account_disabled')
    // The browser that paid keeps its day.
    await endLinks(tx, purchase_id)
    await tx.update(purchases).set({ user_id, idempotency_key: null }).where(eq(purchases.id, purchase_id))
    await tx.update(guest_checkouts).set({ email }).where(eq(guest_checkouts.purchase_id, purchase_id))
    await tx.insert(purchase_moves).values({
      id,
      purchase_id,
      from_email: before.email,
      to_email: user.email,
      reason,
      is_by_buyer,
      created_at: now,
    })
    await recordPurchaseEvent(tx, actor, {
      action: 'purchases.moved',
      purchase_id,
      detail: { from: before.email, to: user.email, reason },
    })
    await queue.enqueue(tx, receiptJob, { purchase_id, is_moved: true })
    await queue.enqueue(tx, movedAwayJob, { move_id: id })
  })
}

const lockedPurchase = z.object({ user_id: z.string(), email: z.string(), is_entitled: z.boolean() })

/** First the row alone: a statement that waits for it would join the user from before the other move. */
async function lockPurchase(tx: Transaction, id: string) {
  const locked = await tx.select().from(purchases).where(eq(purchases.id, id)).for('update')
  if (locked.length === 0) throw orderProblem('purchases.not_found')
  const purchase = await queryFirst(
    tx,
    lockedPurchase,
    sql`
      select p.user_id, profiles.email, ${isEntitled(sql`p`)} as is_entitled
      from purchases p join profiles on profiles.user_id = p.user_id where p.id = ${id}`,
  )
  // It was never paid, and so has no owner.
  if (!purchase) throw readerProblem('purchase_moves.not_movable')
  return purchase
}
