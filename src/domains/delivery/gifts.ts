// Buyers give a copy for an address, have its email sent again, or take it back until it is opened. The author gives in
// grants.ts.
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs, minuteMs } from '#contract/durations.ts'
import type { Transaction } from '#platform/db/client.ts'
import { queryFirst, queryOne } from '#platform/db/query.ts'
import { deliveryProblem } from './problem.ts'
import { isPaidFor, isGivable } from '#domains/orders/entitlements.ts'
import type { GiveRequest } from '#contract/delivery/gifts.ts'
import { gifts } from '#tables/delivery.ts'
import { scheduled_emails } from '#tables/mail.ts'
import { cancelEmails, queueScheduledEmails, scheduleEmail } from '#domains/mail/scheduled-emails.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

type OwnPurchase = { user_id: string; purchase_id: string }
/** The limit keeps a giver from writing to somebody again and again. */
const maxMails = 6
const pauseMinutes = 10
const maxDaysAhead = 366

/** The same once more changes nothing, as after a lost response. */
export async function giveCopy(
  services: CommerceShop,
  own: OwnPurchase,
  giveRequest: GiveRequest,
): Promise<void> {
  const { db, mail, clock } = services
  if (!mail.sendsMail()) throw deliveryProblem('purchase_gifts.no_mail')
  const now = clock()
  const sendAt = giveRequest.send_at ? new Date(giveRequest.send_at) : now
  if (sendAt.getTime() > now.getTime() + maxDaysAhead * dayMs)
    throw deliveryProblem('purchase_gifts.too_late')
  const send_at = sendAt > now ? sendAt : now
  const { email, recipient_name, sender_name, note } = giveRequest
  await db.transaction(async (tx) => {
    const purchase = await lockOwn(tx, own)
    if (email === purchase.buyer_email.toLowerCase()) throw deliveryProblem('purchase_gifts.own_address')
    const [row] = await tx.select().from(gifts).where(isOf(own))
    if (row) {
      // The other of two requests at once may have begun later than this one: the clock is read after the lock.
      const isSame =
        row.email === email &&
        row.recipient_name === recipient_name &&
        row.sender_name === sender_name &&
        row.note === note &&
        (giveRequest.send_at ? row.send_at.getTime() === sendAt.getTime() : row.send_at <= clock())
      if (!isSame) throw deliveryProblem('purchase_gifts.given')
      return
    }
    if (!purchase.is_givable) throw deliveryProblem('purchase_gifts.not_givable')
    const gift = { purchase_id: own.purchase_id, revision: randomUUID(), send_at }
    const texts = { email, recipient_name, sender_name, note }
    await tx.insert(gifts).values({ ...gift, ...texts, created_at: now })
    await schedule(tx, gift)
  })
  await queueScheduledEmails(services)
}

/** The email once more, to the same address, as another revision: it ends the links of the one before. */
export async function sendGiftAgain(services: CommerceShop, own: OwnPurchase): Promise<void> {
  const { db, mail, clock } = services
  if (!mail.sendsMail()) throw deliveryProblem('purchase_gifts.no_mail')
  await db.transaction(async (tx) => {
    const { is_paid_for } = await lockOwn(tx, own)
    const [row] = await tx.select().from(gifts).where(isOf(own))
    if (!row) throw deliveryProblem('purchase_gifts.not_given')
    if (row.opened_at) throw deliveryProblem('purchase_gifts.opened')
    if (!is_paid_for) throw deliveryProblem('purchase_gifts.not_givable')
    const now = clock()
    const pauseAgo = new Date(now.getTime() - pauseMinutes * minuteMs)
    const isLeft = await tx.$count(
      scheduled_emails,
      sql`kind = 'gift_to_someone' and about = ${own.purchase_id} and version = ${row.revision} and queued_at <= ${pauseAgo}`,
    )
    if (isLeft === 0) throw deliveryProblem('purchase_gifts.too_soon')
    const gift = { purchase_id: own.purchase_id, revision: randomUUID(), send_at: now }
    await tx.update(gifts).set(gift).where(isOf(own))
    await schedule(tx, gift)
  })
  await queueScheduledEmails(services)
}

/** The copy is the buyer's own again, and the links that were sent open nothing. */
export async function takeCopyBack({ db }: CommerceShop, own: OwnPurchase): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwn(tx, own)
    const [row] = await tx.select().from(gifts).where(isOf(own)).for('update')
    if (row?.opened_at) throw deliveryProblem('purchase_gifts.opened')
    await tx.delete(gifts).where(isOf(own))
    await cancelEmails(tx, 'gift_to_someone', own.purchase_id)
  })
}

const isOf = ({ purchase_id }: OwnPurchase) => eq(gifts.purchase_id, purchase_id)

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
