// The link of a gift: who has it has the mailbox of its email, and so opens the gift.
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs, minuteMs } from '#contract/durations.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryFirst } from '#platform/db/query.ts'
import { deliveryProblem } from './problem.ts'
import { isBanned, lockUser } from '#domains/accounts/accounts.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import { giftLinkDays, makeGiftLink, opensAccount } from '#domains/accounts/links.ts'
import { profiles, users } from '#tables/accounts.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import { hashOf, newToken } from '#platform/mailed-token.ts'
import { insertReceived } from '#domains/orders/buy.ts'
import type { ShownGift } from '#contract/delivery/gifts.ts'
import { gift_links, gifts } from '#tables/delivery.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

type LinkedGift = Pick<typeof gifts.$inferSelect, 'purchase_id' | 'revision'>

/** The only time that the token itself is seen. */
export async function addGiftLink(
  db: Db,
  { purchase_id, revision }: LinkedGift,
  siteUrl: string,
): Promise<string> {
  const token = newToken()
  await db.insert(gift_links).values({ hash: hashOf(token), purchase_id, revision })
  return `${siteUrl}/gift#${token}`
}

/** The purchase `b` on which a gift `g` stands: the buyer's, or the free one that the author gave. */
const purchaseOfGift = sql`purchases b on b.id = coalesce(g.purchase_id, g.received_id)`

/** False for a free copy that was moved away from its address. `owner` is the profile of that purchase's user. */
const isOfAddress = sql`(g.purchase_id is not null or lower(owner.email) = lower(g.email))`

/** Null until the link of a gift `g`, a download, or what its recipient says or gets by post has opened it. */
export const openedAt = sql`coalesce(g.opened_at,
  (select min(d.started_at) from downloads d where d.purchase_id = g.received_id),
  (select coalesce(s.shipped_at, s.updated_at) from shipments s
    where s.purchase_id = g.received_id and (s.shipped_at is not null or s.name is not null)))`

const gift = z.object({
  id: z.string(),
  bought_id: z.string(),
  received_id: z.string().nullable(),
  product_id: z.string(),
  product_name: z.string(),
  is_digital: z.boolean(),
  email: z.string(),
  recipient_name: z.string(),
  sender_name: z.string(),
  note: z.string(),
  is_opened: z.boolean(),
  is_valid: z.boolean(),
  mailed_at: isoTime,
})

/** The press on the gift's page is followed by a request within this time. */
const signInMs = 10 * minuteMs

async function findGift(db: Db | Transaction, token: string) {
  const row = await queryFirst(
    db,
    gift,
    sql`
      select g.id, b.id as bought_id, g.received_id, b.product_id, p.name as product_name, p.is_digital, g.email,
        g.recipient_name, g.sender_name, g.note, ${openedAt} is not null as is_opened,
        ${isPaidFor(sql`b`)} and ${isOfAddress} as is_valid, l.created_at as mailed_at
      from gift_links l join purchase_gifts g using (revision) join ${purchaseOfGift}
        join products p on p.id = b.product_id left join profiles owner on owner.user_id = b.user_id
      where l.hash = ${hashOf(token)}`,
  )
  // Its address was erased, the money went back, or it was moved to another address.
  if (!row?.email || !row.is_valid) throw deliveryProblem('purchase_gifts.link_over')
  return row
}

/** A copy for an address without an account makes one, which has nothing but this gift. */
export async function opensGiftAccount(tx: Transaction, email: string): Promise<boolean> {
  const hasAccount = (await tx.$count(profiles, sql`lower(${profiles.email}) = lower(${email})`)) > 0
  return !hasAccount || opensAccount(tx, email)
}

export async function showGift({ db }: CommerceShop, token: string): Promise<ShownGift> {
  const { product_name, is_digital, sender_name, recipient_name, note, is_opened } = await findGift(db, token)
  return { product_name, is_digital, sender_name, recipient_name, note, is_opened }
}

/** Pressed again, it leads to the same account. */
export async function openGift(
  { db, clock }: CommerceShop,
  token: string,
): Promise<{ email: string; sign_in_token: string | null }> {
  const now = clock()
  return db.transaction(async (tx) => {
    const { bought_id } = await findGift(tx, token)
    // The order is that of taking it back: first the purchase, then its gift.
    await tx.execute(sql`select from purchases where id = ${bought_id} for update`)
    const { id, email, is_opened, mailed_at, ...gift } = await findGift(tx, token)
    if (!is_opened) {
      const received_id = gift.received_id ?? (await receive(tx, { ...gift, email }, now))
      await tx.update(gifts).set({ opened_at: now, received_id }).where(eq(gifts.id, id))
    }
    const signsIn = now.getTime() < Date.parse(mailed_at) + giftLinkDays * dayMs
    const sign_in_token = signsIn ? await makeGiftLink(tx, email, now, signInMs) : undefined
    return { email, sign_in_token: sign_in_token ?? null }
  })
}

type Receiving = Pick<z.output<typeof gift>, 'email' | 'product_id' | 'bought_id'>

async function receive(tx: Transaction, { email, product_id, bought_id }: Receiving, now: Date) {
  const { user_id } = await findOrAddUnconfirmed(tx, email, now)
  const user = await lockUser(tx, eq(users.id, user_id))
  if (!user || isBanned(user, now)) throw deliveryProblem('purchase_gifts.link_over')
  return insertReceived(tx, { user_id, product_id, gift_of: bought_id })
}
