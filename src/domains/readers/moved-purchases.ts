// Another address for a purchase that was bought under a mistyped one. The author decides; the address from before may object.
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { readerProblem } from './problem.ts'
import { insertMessage } from './received-messages.ts'
import { changeOwner } from '#domains/orders/guest-owners.ts'
import { endLinks } from '#domains/orders/guest-orders.ts'
import { dropRequestsWith } from '#domains/mail/subscribers.ts'
import { hashOf } from '#platform/mailed-token.ts'
import { dayMs } from '#contract/durations.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { purchases } from '#tables/orders.ts'
import { purchase_moves } from '#tables/readers.ts'
import { z } from 'zod'
import { queryFirst } from '#platform/db/query.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { recordPurchaseEvent } from '#domains/orders/purchase-changes.ts'
import { isBanned, lockUser } from '#domains/accounts/accounts.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import { users } from '#tables/accounts.ts'
import type { Actor } from '#platform/audit-log.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { receiptJob } from '#domains/orders/receipts.ts'
import type { MoveRequest } from '#contract/readers/moves.ts'
import { movedAwayJob, objectionDays } from './readers.emails.ts'
import { isOfErased, type Erased } from '#domains/accounts/erased-accounts.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { getPurchase } from '#domains/orders/purchases.ts'

/** Once, and it moves nothing: the author gets a message of the former owner, and decides. */
export async function objectToMove(
  services: CommerceShop,
  { token, message }: { token: string; message: string },
): Promise<void> {
  const { db, clock } = services
  const now = clock()
  const earliest = new Date(now.getTime() - objectionDays * dayMs)
  await db.transaction(async (tx) => {
    const [move] = await tx
      .update(purchase_moves)
      .set({ objection_hash: null, objected_at: now })
      .where(and(eq(purchase_moves.objection_hash, hashOf(token)), gt(purchase_moves.created_at, earliest)))
      .returning()
    if (!move) throw readerProblem('purchase_moves.link_over')
    const { from_email: email, purchase_id } = move
    // The account was erased meanwhile.
    if (!email) throw readerProblem('purchase_moves.link_over')
    const { number } = await getPurchase(tx, purchase_id)
    const order = formatOrderNumber(number)
    await insertMessage(tx, services, {
      name: email,
      email,
      subject: `Objection: order ${order} was moved to another address`,
      message: message || `I object to the move of order ${order} to another address.`,
    })
  })
}

/** `is_by_buyer`: by the browser that bought, once. */
type Move = MoveRequest & { id: string; purchase_id: string; is_by_buyer?: boolean }

/** The second of two requests at once finds the purchase moved. */
export async function movePurchase(
  { db, clock, queue }: CommerceShop,
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
    await dropRequestsWith(tx, purchase_id)
    await changeOwner(tx, { purchase_id, user_id, email })
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
    await queue.enqueue(tx, receiptJob, { purchase_id, moved_by: is_by_buyer ? 'buyer' : 'author' })
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

export const eraseFromMoves = (erased: Erased) => {
  const [isFrom, isTo] = [isOfErased(sql`from_email`, erased), isOfErased(sql`to_email`, erased)]
  return sql`
    update purchase_moves set reason = '', objection_hash = null,
      from_email = case when ${isFrom} then '' else from_email end,
      to_email = case when ${isTo} then '' else to_email end
    where ${isFrom} or ${isTo}`
}
