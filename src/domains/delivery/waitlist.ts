// The waitlist of a product: addresses that get one email on its release, once their mailbox has confirmed it.
import { randomBytes } from 'node:crypto'
import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { isEntitled, givesProduct } from '#domains/orders/entitlements.ts'
import { hashOf } from '#domains/orders/guest-orders.ts'
import { scheduleEmails } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmailKind } from '#domains/mail/shop.ts'
import { button, help, paragraph, quiet, renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { release_waitlist } from '#tables/delivery.ts'
import { v7 as uuidv7 } from 'uuid'
import { deliveryProblem } from './problem.ts'
import { isOnSale } from '#domains/catalog/catalogue.ts'
import type { BookShop } from '#domains/book/shop.ts'

export const waitlistConfirmJob = defineMailJob({
  name: 'mail.waitlist_confirm',
  kinds: ['waitlist_confirm'],
  payload: z.object({ id: z.uuid() }),
  async compose({ db }, { id }, branding) {
    const entry = await findEntry(db, id)
    if (!entry || entry.is_confirmed) return undefined
    const token = randomBytes(32).toString('base64url')
    await db
      .update(release_waitlist)
      .set({ hash: hashOf(token) })
      .where(eq(release_waitlist.id, id))
    const texts = emailsTexts.releaseWaitlist
    const product = entry.product_name
    const rendered = await renderEmail({
      subject: fill(texts.subject, { product }),
      preview: texts.preview,
      title: texts.title,
      branding,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(texts.text, { product })),
        // In the fragment, which browsers send to no server.
        button(texts.button, `${branding.siteUrl}/tell-me/${entry.product_id}#${token}`),
        quiet(texts.unknown),
      ],
    })
    return { kind: 'waitlist_confirm', email: { ...rendered, to: entry.email }, isUnimportant: true }
  },
})

/** Nothing to who has bought it meanwhile, and gets the email of its buyers. */
export const release_waitlist_out: ScheduledEmailKind = {
  isBulk: true,
  async compose(db, { about: id }, branding) {
    const entry = await findEntry(db, id)
    if (!entry?.is_out || entry.is_owner) return undefined
    const { releaseOut, releaseWaitlist } = emailsTexts
    const product = entry.product_name
    const rendered = await renderEmail({
      subject: fill(releaseOut.subject, { product }),
      preview: releaseWaitlist.outPreview,
      title: releaseOut.title,
      branding,
      children: [
        paragraph(emailsTexts.shared.hello),
        paragraph(fill(releaseWaitlist.out, { product })),
        button(releaseWaitlist.outButton, `${branding.siteUrl}/#book-sales`),
        quiet(releaseWaitlist.forgotten),
        help(),
      ],
    })
    const email = { ...rendered, to: entry.email, replyTo: branding.authorEmail }
    return { kind: 'release_out', email, isUnimportant: true }
  },
  // The address was for this email alone.
  async settle(tx, { about: id }) {
    await tx.delete(release_waitlist).where(eq(release_waitlist.id, id))
  },
}

/** `entries`: a condition of entries `w` and their products `p`. */
export async function scheduleWaitlist(tx: Transaction, entries: SQL, now: Date): Promise<void> {
  const isChosen = sql`w.confirmed_at is not null and w.email <> '' and ${entries}`
  const chosen = sql`
    select w.id, null::uuid, '' from release_waitlist w join products p on p.id = w.product_id where ${isChosen}`
  await scheduleEmails(tx, 'release_waitlist', chosen, now)
  // So that a process of the version before sends nothing.
  await tx.execute(sql`
    update release_waitlist w set queued_at = ${now} from products p
    where p.id = w.product_id and w.queued_at is null and ${isChosen}`)
}

const entry = z.object({
  product_id: z.string(),
  email: z.string(),
  product_name: z.string(),
  is_confirmed: z.boolean(),
  is_out: z.boolean(),
  is_owner: z.boolean(),
})

function findEntry(db: Db, id: string) {
  return queryFirst(
    db,
    entry,
    sql`
      select w.product_id, w.email, product.name as product_name, w.confirmed_at is not null as is_confirmed,
        is_released(product) as is_out, exists (
          select from purchases p join profiles u on u.user_id = p.user_id
          where lower(u.email) = w.email and ${givesProduct(sql`product.id`)} and ${isEntitled(sql`p`)}) as is_owner
      from release_waitlist w join products product on product.id = w.product_id
      where w.id = ${id} and w.email <> ''`,
  )
}

const pauseMinutes = 10
const unconfirmedDays = 7
/** A product may be brought back. */
const archivedDays = 30
/** To an address that has not confirmed. */
const maxRequests = 3

/** Of several calls for one address, the first in ten minutes sends an email, and three altogether. */
export async function joinWaitlist(
  { db, mail, queue, clock }: BookShop,
  product_id: string,
  email: string,
): Promise<void> {
  const isAwaited = sql`select from products where id = ${product_id} and not is_released(products) and ${isOnSale}`
  const { rowCount } = await db.execute(isAwaited)
  if (mail.isKept() || !rowCount) throw deliveryProblem('releases.not_awaited')
  const now = clock()
  const pauseAgo = new Date(now.getTime() - pauseMinutes * 60_000)
  await db.transaction(async (tx) => {
    const requested = await queryFirst(
      tx,
      z.object({ id: z.string() }),
      sql`
        insert into release_waitlist (id, product_id, email, requested_at, created_at)
        values (${uuidv7()}, ${product_id}, ${email}, ${now}, ${now})
        on conflict (product_id, email) where email <> '' do update
          set requested_at = ${now}, requests = release_waitlist.requests + 1
          where release_waitlist.confirmed_at is null and release_waitlist.requested_at < ${pauseAgo}
            and release_waitlist.requests < ${maxRequests}
        returning id`,
    )
    if (requested) await queue.enqueue(tx, waitlistConfirmJob, requested)
  })
}

const productRow = z.object({ product_name: z.string() })
const confirmedRow = productRow.extend({ id: z.string(), is_out: z.boolean() })

export async function confirmWaitlistEntry({ db, clock }: BookShop, token: string) {
  const now = clock()
  return db.transaction(async (tx) => {
    const entry = await queryFirst(
      tx,
      confirmedRow,
      sql`
        update release_waitlist w set confirmed_at = coalesce(w.confirmed_at, ${now}) from products p
        where p.id = w.product_id and w.hash = ${hashOf(token)}
        returning w.id, p.name as product_name, p.release_queued_at is not null as is_out`,
    )
    if (!entry) throw deliveryProblem('releases.link_over')
    const { id, is_out, product_name } = entry
    if (is_out) await scheduleWaitlist(tx, sql`w.id = ${id}`, now)
    return { product_name }
  })
}

export async function leaveWaitlist({ db }: BookShop, token: string) {
  const entry = await queryFirst(
    db,
    productRow,
    sql`
      delete from release_waitlist w using products p
      where p.id = w.product_id and w.hash = ${hashOf(token)} returning p.name as product_name`,
  )
  if (!entry) throw deliveryProblem('releases.link_over')
  return entry
}

/** Addresses that never confirmed, and the waitlists of what is not offered any more. */
export async function sweepWaitlist({ db, clock }: BookShop): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * 86_400_000)
  await db.execute(sql`
    delete from release_waitlist w using products p where p.id = w.product_id and (
      w.confirmed_at is null and w.created_at < ${before(unconfirmedDays)}
      or p.archived_at < ${before(archivedDays)})`)
}
