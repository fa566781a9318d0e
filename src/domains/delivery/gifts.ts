// A gift is a copy for an address, with a link that opens it. Here are the rules of all gifts, and how buyers give, correct
// a gift until it is opened, or take it back. How the author gives is in grants.ts.
import { randomBytes, randomUUID } from 'node:crypto'
import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryFirst, queryOne } from '#platform/db/query.ts'
import { type Actor, recordAuditEvent } from '#platform/audit-log.ts'
import { deliveryProblem } from './problem.ts'
import { isBanned, lockUser } from '#domains/accounts/accounts.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import { giftLinkDays, makeGiftLink } from '#domains/accounts/links.ts'
import { users } from '#tables/accounts.ts'
import { isPaidFor, isGivable } from '#domains/orders/entitlements.ts'
import { hashOf } from '#domains/orders/guest-orders.ts'
import { endGivenPurchase, insertReceived } from '#domains/orders/buy.ts'
import type { ShownGift, GiveRequest } from '#contract/delivery/gifts.ts'
import { gift_links, gifts, mailed_codes } from '#tables/delivery.ts'
import { scheduled_emails } from '#tables/mail.ts'
import { cancelEmails, queueScheduledEmails, scheduleEmail } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmail, ScheduledEmailKind } from '#domains/mail/shop.ts'
import { orderProblem } from '#domains/orders/purchase-changes.ts'
import { isOfErased, type Erased } from '#domains/accounts/erased-accounts.ts'
import type { BookShop } from '#domains/book/shop.ts'

// Who has the link of a gift's email has its mailbox, and so opens the gift.

type LinkedGift = Pick<typeof gifts.$inferSelect, 'purchase_id' | 'revision'>

/** The only time that the token itself is seen. */
export async function addGiftLink(
  db: Db,
  { purchase_id, revision }: LinkedGift,
  siteUrl: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(gift_links).values({ hash: hashOf(token), purchase_id, revision })
  return `${siteUrl}/gift#${token}`
}

/** The purchase `b` on which a gift `g` stands: the buyer's, or the free one that the author gave. */
const purchaseOfGift = sql`purchases b on b.id = coalesce(g.purchase_id, g.received_id)`

/** For `owner`, the profile of that purchase's user: false for a free copy that was moved away from its address. */
const isOfAddress = sql`(g.purchase_id is not null or lower(owner.email) = lower(g.email))`

/** For a gift `g`: null until its link, a download, or what its recipient says or gets by post has opened it. */
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

/** Between the press on the gift's page and the request that follows it. */
const signInMs = 600_000

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

export async function showGift({ db }: BookShop, token: string): Promise<ShownGift> {
  const { product_name, is_digital, sender_name, recipient_name, note, is_opened } = await findGift(db, token)
  return { product_name, is_digital, sender_name, recipient_name, note, is_opened }
}

/** Pressed again, it leads to the same account. */
export async function openGift(
  { db, clock }: BookShop,
  token: string,
): Promise<{ email: string; sign_in_token: string | null }> {
  const now = clock()
  return db.transaction(async (tx) => {
    const { bought_id } = await findGift(tx, token)
    // As the changes of who gives it: first the purchase, then its gift.
    await tx.execute(sql`select from purchases where id = ${bought_id} for update`)
    const { id, email, is_opened, mailed_at, ...gift } = await findGift(tx, token)
    if (!is_opened) {
      const received_id = gift.received_id ?? (await receive(tx, { ...gift, email }, now))
      await tx.update(gifts).set({ opened_at: now, received_id }).where(eq(gifts.id, id))
    }
    const signsIn = now.getTime() < Date.parse(mailed_at) + giftLinkDays * 86_400_000
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

/** Sends nothing once the gift was opened, changed or taken back, or its money went back. */
const toRecipient = (kind: 'gift_to_someone' | 'gift_waiting'): ScheduledEmailKind => ({
  isBulk: kind === 'gift_waiting',
  async compose(db, scheduled, branding) {
    const gift = await findUnopened(db, scheduled)
    if (!gift) return undefined
    const { recipientEmail } = await import('./gifts.emails.ts')
    const link = await addGiftLink(db, gift, branding.siteUrl)
    const isReminder = kind === 'gift_waiting'
    const email = await recipientEmail({ ...gift, link, isReminder }, branding)
    const purchase_id = gift.purchase_id ?? gift.received_id ?? undefined
    return { kind, email, purchase_id, isUnimportant: isReminder }
  },
})

export const gift_waiting = toRecipient('gift_waiting')

/** What is not opened after a month is a reminder's, for both. */
export const gift_to_someone: ScheduledEmailKind = {
  ...toRecipient('gift_to_someone'),
  async settle(tx, scheduled, outcome, now) {
    if (outcome !== 'sent') return
    const due_at = daysAfter(now, reminderDays)
    for (const kind of ['gift_waiting', 'gift_unopened'] as const)
      await scheduleEmail(tx, kind, scheduled, due_at)
  },
}

export const gift_unopened: ScheduledEmailKind = {
  isBulk: true,
  async compose(db, scheduled, branding) {
    const gift = await findUnopened(db, scheduled)
    if (!gift) return undefined
    const { unopenedEmail } = await import('./gifts.emails.ts')
    const email = await unopenedEmail(gift, branding)
    return { kind: 'gift_unopened', email, purchase_id: scheduled.about, isUnimportant: true }
  },
}

/** Of the author's own copies there is no one else to remind. */
export const remindRecipient = (
  tx: Transaction,
  { id, revision }: { id: string; revision: string },
  now: Date,
) => scheduleEmail(tx, 'gift_waiting', { about: id, version: revision }, daysAfter(now, reminderDays))

const unopened = z.object({
  purchase_id: z.string().nullable(),
  received_id: z.string().nullable(),
  revision: z.string(),
  email: z.string(),
  recipient_name: z.string(),
  sender_name: z.string(),
  note: z.string(),
  sent_at: isoTime.nullable(),
  product_name: z.string(),
  buyer_email: z.string(),
  buyer_name: z.string().nullable(),
})
export type UnopenedGift = z.output<typeof unopened>

function findUnopened(db: Db, { version }: ScheduledEmail): Promise<UnopenedGift | undefined> {
  return queryFirst(
    db,
    unopened,
    sql`
      select g.purchase_id, g.received_id, g.revision, g.email, g.recipient_name, g.sender_name, g.note,
        p.name as product_name, owner.email as buyer_email, owner.display_name as buyer_name, (
          select s.settled_at from scheduled_emails s where s.kind = 'gift_to_someone' and s.about = g.purchase_id
            and s.version = g.revision::text) as sent_at
      from purchase_gifts g join ${purchaseOfGift} join products p on p.id = b.product_id
        join profiles owner on owner.user_id = b.user_id
      where g.revision = ${version}::uuid and ${openedAt} is null and g.email <> ''
        and (g.purchase_id is null or g.sender_name <> '') and ${isPaidFor(sql`b`)} and ${isOfAddress}`,
  )
}

type OwnPurchase = { user_id: string; purchase_id: string }
/** So that nobody is written to again and again. */
const maxMails = 6
const pauseMinutes = 10
const reminderDays = 30
const maxDaysAhead = 366
const dayMs = 86_400_000
const daysAfter = (now: Date, days: number) => new Date(now.getTime() + days * dayMs)

/** Also changes a gift that is not opened. The same once more changes nothing. */
export async function giveCopy(
  services: BookShop,
  own: OwnPurchase,
  giveRequest: GiveRequest,
): Promise<void> {
  const { db, mail, clock } = services
  if (mail.isKept()) throw deliveryProblem('purchase_gifts.no_mail')
  const now = clock()
  const sendAt = giveRequest.send_at ? new Date(giveRequest.send_at) : now
  if (sendAt > daysAfter(now, maxDaysAhead)) throw deliveryProblem('purchase_gifts.too_late')
  const send_at = sendAt > now ? sendAt : now
  const { email, recipient_name, sender_name, note } = giveRequest
  const texts = { email, recipient_name, sender_name, note }
  await db.transaction(async (tx) => {
    const purchase = await lockOwn(tx, own)
    if (email === purchase.buyer_email.toLowerCase()) throw deliveryProblem('purchase_gifts.own_address')
    const [row] = await tx.select().from(gifts).where(isOf(own))
    if (!row) {
      if (!purchase.is_givable) throw deliveryProblem('purchase_gifts.not_givable')
      const gift = { purchase_id: own.purchase_id, revision: randomUUID(), send_at }
      await tx.insert(gifts).values({ ...gift, ...texts, ...markedAsQueued(now), created_at: now })
      return schedule(tx, gift)
    }
    if (row.opened_at) throw deliveryProblem('purchase_gifts.opened')
    if (!purchase.is_paid_for) throw deliveryProblem('purchase_gifts.not_givable')
    const isSame =
      Object.entries(texts).every(([name, value]) => row[name as keyof typeof texts] === value) &&
      (giveRequest.send_at ? row.send_at.getTime() === sendAt.getTime() : row.send_at <= now)
    if (!isSame) await startAgain(tx, own, { ...texts, send_at })
  })
  await queueScheduledEmails(services)
}

/** The email once more, to the same address. */
export async function sendGiftAgain(services: BookShop, own: OwnPurchase): Promise<void> {
  const { db, mail, clock } = services
  if (mail.isKept()) throw deliveryProblem('purchase_gifts.no_mail')
  await db.transaction(async (tx) => {
    const { is_paid_for } = await lockOwn(tx, own)
    const [row] = await tx.select().from(gifts).where(isOf(own))
    if (!row) throw deliveryProblem('purchase_gifts.not_given')
    if (row.opened_at) throw deliveryProblem('purchase_gifts.opened')
    if (!is_paid_for) throw deliveryProblem('purchase_gifts.not_givable')
    const now = clock()
    const pauseAgo = new Date(now.getTime() - pauseMinutes * 60_000)
    const isLeft = await tx.$count(
      scheduled_emails,
      sql`kind = 'gift_to_someone' and about = ${own.purchase_id} and version = ${row.revision} and queued_at <= ${pauseAgo}`,
    )
    if (isLeft === 0) throw deliveryProblem('purchase_gifts.too_soon')
    await startAgain(tx, own, { send_at: now })
  })
  await queueScheduledEmails(services)
}

/** The copy is the buyer's own again, and the links that were sent open nothing. */
export async function takeCopyBack({ db }: BookShop, own: OwnPurchase): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwn(tx, own)
    const [row] = await tx.select().from(gifts).where(isOf(own)).for('update')
    if (row?.opened_at) throw deliveryProblem('purchase_gifts.opened')
    await tx.delete(gifts).where(isOf(own))
    await cancelEmails(tx, 'gift_to_someone', own.purchase_id)
  })
}

const isOf = ({ purchase_id }: OwnPurchase) => eq(gifts.purchase_id, purchase_id)

type Change = Partial<typeof gifts.$inferInsert> & { send_at: Date }

/** As another revision, which ends the links and emails of the one before. */
async function startAgain(tx: Transaction, { purchase_id }: OwnPurchase, change: Change) {
  const revision = randomUUID()
  await tx
    .update(gifts)
    .set({ ...change, revision })
    .where(eq(gifts.purchase_id, purchase_id))
  await cancelEmails(tx, 'gift_to_someone', purchase_id)
  await schedule(tx, { purchase_id, revision, send_at: change.send_at })
}

/** For columns that only the version before reads: so it neither sends nor reminds. */
export const markedAsQueued = (now: Date) => ({ queued_at: now, reminded_at: now })

type Gift = { purchase_id: string; revision: string; send_at: Date }

/** Counts what was queued before, also of a copy that was taken back meanwhile. */
async function schedule(tx: Transaction, { purchase_id, revision, send_at }: Gift): Promise<void> {
  const { mails } = await queryOne(
    tx,
    z.object({ mails: z.number() }),
    sql`
      select count(*) as mails from (
        select id from mails where purchase_id = ${purchase_id} and kind = 'gift_to_someone'
        union select mail_id from scheduled_emails
          where about = ${purchase_id} and kind = 'gift_to_someone' and mail_id is not null) sent`,
  )
  if (mails >= maxMails) throw deliveryProblem('purchase_gifts.too_many')
  await scheduleEmail(tx, 'gift_to_someone', { about: purchase_id, version: revision }, send_at)
}

const lockedPurchase = z.object({
  buyer_email: z.string(),
  is_givable: z.boolean(),
  is_paid_for: z.boolean(),
})

/** First the row alone: a statement that waits for it would read the other rows as they were before. */
async function lockOwn(tx: Transaction, { user_id, purchase_id }: OwnPurchase) {
  await tx.execute(sql`select from purchases where id = ${purchase_id} for update`)
  const purchase = await queryFirst(
    tx,
    lockedPurchase,
    sql`
      select buyer.email as buyer_email, ${isGivable(sql`b`, sql`p`)} as is_givable, ${isPaidFor(sql`b`)} as is_paid_for
      from purchases b join products p on p.id = b.product_id join profiles buyer on buyer.user_id = b.user_id
      where b.id = ${purchase_id} and b.user_id = ${user_id}`,
  )
  if (!purchase) throw orderProblem('purchases.not_found')
  return purchase
}

// The author takes a free copy back.

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

/** Until it is opened. The recipient's purchase ends, and its links open nothing. */
export async function takeGiftBack({ db }: BookShop, actor: Actor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { received_id } = await findGranted(tx, id)
    // As one who opens it: first the purchase, then its gift.
    await tx.execute(sql`select from purchases where id = ${received_id} for update`)
    const { revision, email, product_name, is_opened } = await findGranted(tx, id)
    if (is_opened) throw deliveryProblem('gifts.opened')
    await tx.delete(gift_links).where(eq(gift_links.revision, revision))
    await tx.delete(gifts).where(eq(gifts.id, id))
    // Of the version before.
    await tx.delete(mailed_codes).where(eq(mailed_codes.id, id))
    await cancelEmails(tx, 'gift_waiting', id)
    await endGivenPurchase(tx, received_id)
    const detail = { product: product_name }
    await recordAuditEvent(tx, actor, { action: 'gifts.taken_back', subject: email, subject_id: id, detail })
  })
}

/** In this order. A link that was sent still opens the gift of a buyer who is erased. */
export const giftErasure: readonly ((erased: Erased) => SQL)[] = [
  // Mailed codes, and free copies of the version before.
  (erased) => sql`
    update gifts set email = id::text, name = null, message = '' where ${isOfErased(sql`email`, erased)}`,
  ({ purchase_ids }) => sql`
    update purchase_gifts set sender_name = '', note = '' where purchase_id = any(${purchase_ids})`,
  // What was not opened goes back to its buyer.
  (erased) => sql`
    delete from purchase_gifts where purchase_id is not null and opened_at is null and ${isOfErased(sql`email`, erased)}`,
  (erased) => sql`
    delete from gift_links where purchase_id in (
        select purchase_id from purchase_gifts where ${isOfErased(sql`email`, erased)})
      or revision in (select revision from purchase_gifts where ${isOfErased(sql`email`, erased)})`,
  (erased) => sql`
    update purchase_gifts set email = '', recipient_name = '', note = '' where ${isOfErased(sql`email`, erased)}`,
]
