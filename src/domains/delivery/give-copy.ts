// A buyer gives a copy to someone else, corrects the gift until it is opened, or takes it back.
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { deliveryProblem } from './problem.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Services } from '#platform/services.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import type { GiveRequest } from '#contract/delivery/purchase-gifts.ts'
import { isGivable } from '#domains/orders/given-copies.ts'
import { purchaseGiftMailJob } from './purchase-gift-mail-job.ts'
import { purchase_gifts } from '#tables/purchase-gifts.ts'

type Own = { user_id: string; purchase_id: string }
type GiftServices = Pick<Services, 'db' | 'clock' | 'queue' | 'mail'>

/** So that nobody is written to again and again. */
const maxMails = 6
const pauseMinutes = 10
const maxDaysAhead = 366
const dayMs = 86_400_000

/** Also changes a gift that is not opened. The same once more changes nothing. */
export async function giveCopy(services: GiftServices, own: Own, wanted: GiveRequest): Promise<void> {
  const { db, mail, clock } = services
  if (mail.isKept()) throw deliveryProblem('purchase_gifts.no_mail')
  const now = clock()
  const asked = wanted.send_at ? new Date(wanted.send_at) : now
  if (asked.getTime() > now.getTime() + maxDaysAhead * dayMs) throw deliveryProblem('purchase_gifts.too_late')
  const send_at = asked > now ? asked : now
  const { email, recipient_name, sender_name, note } = wanted
  const texts = { email, recipient_name, sender_name, note }
  await db.transaction(async (tx) => {
    const purchase = await lockOwn(tx, own)
    if (email === purchase.buyer_email.toLowerCase()) throw deliveryProblem('purchase_gifts.own_address')
    const [given] = await tx.select().from(purchase_gifts).where(isOf(own))
    if (!given) {
      if (!purchase.is_givable) throw deliveryProblem('purchase_gifts.not_givable')
      const gift = { purchase_id: own.purchase_id, revision: randomUUID(), send_at }
      await tx.insert(purchase_gifts).values({ ...gift, ...texts, created_at: now })
      return sendIfDue(tx, services, gift)
    }
    if (given.opened_at) throw deliveryProblem('purchase_gifts.opened')
    if (!purchase.is_paid_for) throw deliveryProblem('purchase_gifts.not_givable')
    const isSame =
      Object.entries(texts).every(([name, value]) => given[name as keyof typeof texts] === value) &&
      (wanted.send_at ? given.send_at.getTime() === asked.getTime() : given.queued_at !== null)
    if (isSame) return undefined
    return startAgain(tx, services, own, { ...texts, send_at })
  })
}

/** The email once more, to the same address. */
export async function sendGiftAgain(services: GiftServices, own: Own): Promise<void> {
  const { db, mail, clock } = services
  if (mail.isKept()) throw deliveryProblem('purchase_gifts.no_mail')
  await db.transaction(async (tx) => {
    const { is_paid_for } = await lockOwn(tx, own)
    const [given] = await tx.select().from(purchase_gifts).where(isOf(own))
    if (!given) throw deliveryProblem('purchase_gifts.not_given')
    if (given.opened_at) throw deliveryProblem('purchase_gifts.opened')
    if (!is_paid_for) throw deliveryProblem('purchase_gifts.not_givable')
    const now = clock()
    if (!given.queued_at || now.getTime() - given.queued_at.getTime() < pauseMinutes * 60_000)
      throw deliveryProblem('purchase_gifts.too_soon')
    await startAgain(tx, services, own, { send_at: now })
  })
}

/** The copy is the buyer's own again, and the links that were sent open nothing. */
export async function takeCopyBack({ db }: GiftServices, own: Own): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwn(tx, own)
    const [given] = await tx.select().from(purchase_gifts).where(isOf(own)).for('update')
    if (given?.opened_at) throw deliveryProblem('purchase_gifts.opened')
    await tx.delete(purchase_gifts).where(isOf(own))
  })
}

const isOf = ({ purchase_id }: Own) => eq(purchase_gifts.purchase_id, purchase_id)

type Change = Partial<typeof purchase_gifts.$inferInsert> & { send_at: Date }

/** As another revision, which ends the links and jobs of the one before. */
async function startAgain(tx: Transaction, services: GiftServices, own: Own, change: Change) {
  const revision = randomUUID()
  const unsent = { queued_at: null, sent_at: null, failed_at: null, reminded_at: null }
  await tx
    .update(purchase_gifts)
    .set({ ...change, ...unsent, revision })
    .where(isOf(own))
  const { purchase_id } = own
  await sendIfDue(tx, services, { purchase_id, revision, send_at: change.send_at })
}

type Gift = { purchase_id: string; revision: string; send_at: Date }

/** Counts what was queued before, also of a copy that was taken back meanwhile. */
async function sendIfDue(
  tx: Transaction,
  { queue, clock }: GiftServices,
  { purchase_id, revision, send_at }: Gift,
): Promise<void> {
  // An email has the id of its job, which is deleted sooner.
  const { rows } = await tx.execute(sql`
    select id from mails where purchase_id = ${purchase_id} and kind = 'gift_to_someone'
    union select id from pgboss.job where name = ${purchaseGiftMailJob.name}
      and data ->> 'purchase_id' = ${purchase_id} and data ->> 'kind' = 'gift_to_someone'`)
  if (rows.length >= maxMails) throw deliveryProblem('purchase_gifts.too_many')
  const now = clock()
  if (send_at > now) return
  const isIt = eq(purchase_gifts.purchase_id, purchase_id)
  await tx.update(purchase_gifts).set({ queued_at: now }).where(isIt)
  await queue.enqueue(tx, purchaseGiftMailJob, { kind: 'gift_to_someone', purchase_id, revision })
}

const lockedPurchase = z.object({
  buyer_email: z.string(),
  is_givable: z.boolean(),
  is_paid_for: z.boolean(),
})

/** First the row alone: a statement that waits for it would read the other rows as they were before. */
async function lockOwn(tx: Transaction, { user_id, purchase_id }: Own) {
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
