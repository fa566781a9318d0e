// Who has the link of a gift's email has its mailbox, and so opens the gift.
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryFirst } from '#platform/db/query.ts'
import { deliveryProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { isBanned, lockUser } from '#domains/accounts/accounts.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import { giftLinkDays, makeGiftLink } from '#domains/accounts/links.ts'
import { users } from '#tables/accounts.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import { hashOf } from '#domains/orders/purchase-access.ts'
import { insertReceived } from '#domains/orders/insert-purchase.ts'
import type { ShownGift } from '#contract/delivery/purchase-gifts.ts'
import { gift_links, purchase_gifts } from '#tables/purchase-gifts.ts'

/** The only time that the token itself is seen. */
export async function addGiftLink(
  db: Db,
  { purchase_id, revision }: { purchase_id: string; revision: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(gift_links).values({ hash: hashOf(token), purchase_id, revision })
  return token
}

const gift = z.object({
  purchase_id: z.string(),
  product_id: z.string(),
  product_name: z.string(),
  is_test: z.boolean(),
  email: z.string(),
  recipient_name: z.string(),
  sender_name: z.string(),
  note: z.string(),
  is_opened: z.boolean(),
  is_paid_for: z.boolean(),
  mailed_at: isoTime,
})

/** Between the press on the gift's page and the request that follows it. */
const signInMs = 600_000

async function findGift(db: Db | Transaction, token: string) {
  const found = await queryFirst(
    db,
    gift,
    sql`
      select g.purchase_id, b.product_id, p.name as product_name, b.is_test, g.email, g.recipient_name, g.sender_name,
        g.note, g.opened_at is not null as is_opened, ${isPaidFor(sql`b`)} as is_paid_for, l.created_at as mailed_at
      from gift_links l join purchase_gifts g using (purchase_id, revision) join purchases b on b.id = g.purchase_id
        join products p on p.id = b.product_id
      where l.hash = ${hashOf(token)}`,
  )
  // Its address was erased, or the money went back.
  if (!found?.email || !found.is_paid_for) throw deliveryProblem('purchase_gifts.link_over')
  return found
}

export async function showGift({ db }: Pick<Services, 'db'>, token: string): Promise<ShownGift> {
  const { product_name, sender_name, recipient_name, note, is_opened } = await findGift(db, token)
  return { product_name, sender_name, recipient_name, note, is_opened }
}

/** Pressed again, it leads to the same account. */
export async function openGift(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<{ email: string; sign_in_token: string | null }> {
  const now = clock()
  return db.transaction(async (tx) => {
    const { purchase_id } = await findGift(tx, token)
    // As the buyer's changes: first the purchase, then its gift.
    await tx.execute(sql`select from purchases where id = ${purchase_id} for update`)
    const { product_id, is_test, email, is_opened, mailed_at } = await findGift(tx, token)
    if (!is_opened) {
      const { user_id } = await findOrAddUnconfirmed(tx, email, now)
      const user = await lockUser(tx, eq(users.id, user_id))
      if (!user || isBanned(user, now)) throw deliveryProblem('purchase_gifts.link_over')
      await insertReceived(tx, { user_id, product_id, is_test, gift_of: purchase_id })
      await tx
        .update(purchase_gifts)
        .set({ opened_at: now })
        .where(eq(purchase_gifts.purchase_id, purchase_id))
    }
    const signsIn = now.getTime() < Date.parse(mailed_at) + giftLinkDays * 86_400_000
    const sign_in_token = signsIn ? await makeGiftLink(tx, email, now, signInMs) : undefined
    return { email, sign_in_token: sign_in_token ?? null }
  })
}
