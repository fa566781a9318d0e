// The author takes a free copy back.
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { type Actor, recordAuditEvent } from '#platform/audit-log.ts'
import { deliveryProblem } from './problem.ts'
import { endGivenPurchase } from '#domains/orders/buy.ts'
import { gift_links, gifts } from '#tables/delivery.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { openedAt } from './gift-links.ts'

const granted = z.object({
  received_id: z.string(),
  revision: z.string(),
  email: z.string(),
  product_name: z.string(),
  is_opened: z.boolean(),
})

async function findGranted(tx: Transaction, id: string) {
  const row = await queryFirst(
    tx,
    granted,
    sql`
      select g.received_id, g.revision, g.email, p.name as product_name, ${openedAt} is not null as is_opened
      from purchase_gifts g join products p on p.id = g.product_id
      where g.id = ${id} and g.purchase_id is null and g.received_id is not null`,
  )
  if (!row) throw deliveryProblem('gifts.not_found')
  return row
}

/** A gift can be taken back until it is opened. The recipient's purchase ends, and its links open nothing. */
export async function takeGiftBack({ db }: CommerceShop, actor: Actor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { received_id } = await findGranted(tx, id)
    // The order is that of opening it: first the purchase, then its gift.
    await tx.execute(sql`select from purchases where id = ${received_id} for update`)
    const { revision, email, product_name, is_opened } = await findGranted(tx, id)
    if (is_opened) throw deliveryProblem('gifts.opened')
    await tx.delete(gift_links).where(eq(gift_links.revision, revision))
    await tx.delete(gifts).where(eq(gifts.id, id))
    await endGivenPurchase(tx, received_id)
    const detail = { product: product_name }
    await recordAuditEvent(tx, actor, { action: 'gifts.taken_back', subject: email, subject_id: id, detail })
  })
}
