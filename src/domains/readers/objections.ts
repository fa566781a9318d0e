import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { readerProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { hashOf } from '#domains/orders/purchase-access.ts'
import { insertMessage } from './contact.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { purchases } from '#tables/purchases.ts'
import { purchase_moves } from '#tables/purchase-moves.ts'

export const objectionDays = 30

/** The only time that the token itself is seen; a later email ends the link of the one before. */
export async function makeObjectionToken(db: Db, move_id: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const isOpen = and(eq(purchase_moves.id, move_id), isNull(purchase_moves.objected_at))
  await db
    .update(purchase_moves)
    .set({ objection_hash: hashOf(token) })
    .where(isOpen)
  return token
}

/** Once, and it moves nothing: the author gets a message of the former owner, and decides. */
export async function objectToMove(
  services: Pick<Services, 'db' | 'clock' | 'queue' | 'config'>,
  { token, message }: { token: string; message: string },
): Promise<void> {
  const { db, clock } = services
  const now = clock()
  const earliest = new Date(now.getTime() - objectionDays * 86_400_000)
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
    const [purchase] = await tx
      .select({ number: purchases.number })
      .from(purchases)
      .where(eq(purchases.id, purchase_id))
    const order = formatOrderNumber(purchase!.number)
    await insertMessage(tx, services, {
      name: email,
      email,
      subject: `Objection: order ${order} was moved to another address`,
      message: message || `I object to the move of order ${order} to another address.`,
    })
  })
}
