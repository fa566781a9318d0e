// The waitlist of a product: addresses that get one email on its release, once their mailbox has confirmed it.
import { sql, eq } from 'drizzle-orm'
import { z } from 'zod'
import { waitlistEntry, linkedWaitlistEntry } from '#contract/delivery/editions.ts'
import { dayMs } from '#contract/durations.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryAll, queryFirst } from '#platform/db/query.ts'
import { isEntitled, givesProduct } from '#domains/orders/entitlements.ts'
import { postponeUnknownMail } from '#domains/accounts/mail-limits.ts'
import { mayMailAgain, unconfirmedSince } from '#domains/mail/confirmations.ts'
import { scheduleEmails } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmailKind } from '#domains/mail/shop.ts'
import { deliveryProblem } from './problem.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { hashOf, newToken } from '#platform/mailed-token.ts'
import { button, help, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { release_waitlist } from '#tables/delivery.ts'
import { v7 as uuidv7 } from 'uuid'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import { isOnSale } from '#domains/catalog/product-sql.ts'
import { isSelling } from '#contract/catalog/products.ts'

export const waitlistConfirmJob = defineMailJob({
  name: 'mail.waitlist_confirm',
  kinds: ['waitlist_confirm'],
  /** `network`: of who entered the address. */
  payload: z.object({ id: z.uuid(), network: z.string() }),
  async before(services: CommerceShop, { id, network }) {
    const email = (await findEntry(services.db, id))?.email
    if (email) await postponeUnknownMail(services, email, network)
  },
  async compose({ db }: CommerceShop, { id }, branding) {
    const entry = await findEntry(db, id)
    if (!entry || entry.is_confirmed) return undefined
    const token = newToken()
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
        // The token is in the fragment, which browsers send to no server.
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
  async onOutcome(tx, { about: id }) {
    await tx.delete(release_waitlist).where(eq(release_waitlist.id, id))
  },
}

/** All products that are out and can be bought are looked at: one may be out before the shop sells anything. */
export async function scheduleWaitlist(tx: Transaction, services: CommerceShop): Promise<void> {
  if (!isSelling(await currentSaleMode(services))) return
  const now = services.clock()
  const chosen = await queryAll(
    tx,
    z.object({ id: z.string() }),
    sql`
      update release_waitlist w set queued_at = ${now} from products p
      where p.id = w.product_id and w.confirmed_at is not null and w.queued_at is null and w.email <> ''
        and p.is_for_sale and is_released(p) and delivery_gap(p) is null
      returning w.id`,
  )
  const ids = chosen.map(({ id }) => id)
  const entries = sql`select id, null::uuid, '' from unnest(${sql.param(ids)}::uuid[]) id`
  await scheduleEmails(tx, 'release_waitlist', entries, now)
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

/** A product may be brought back. */
const archivedDays = 30

/** An address is mailed again as `mayMailAgain` says. */
export async function joinWaitlist(
  services: CommerceShop,
  { product_id, email, network }: { product_id: string; email: string; network: string },
): Promise<void> {
  const { db, mail, queue, clock } = services
  // A shop that has lost its key sold what is out.
  const isNew = (await currentSaleMode(services)) === 'not_for_sale'
  // The product is locked, as the setup may be deleting it.
  const awaited = sql`
    select from products where id = ${product_id} and (${isNew}::boolean or not is_released(products)) and ${isOnSale}
    for key share`
  if (!mail.sendsMail()) throw deliveryProblem('releases.not_awaited')
  const now = clock()
  const mayMail = mayMailAgain(sql`release_waitlist.requested_at`, sql`release_waitlist.requests`, now)
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(awaited)
    if (!rowCount) throw deliveryProblem('releases.not_awaited')
    const requested = await queryFirst(
      tx,
      z.object({ id: z.string() }),
      sql`
        insert into release_waitlist (id, product_id, email, requested_at, created_at)
        values (${uuidv7()}, ${product_id}, ${email}, ${now}, ${now})
        on conflict (product_id, email) where email <> '' do update
          set requested_at = ${now}, requests = release_waitlist.requests + 1
          where release_waitlist.confirmed_at is null and ${mayMail}
        returning id`,
    )
    if (requested) await queue.enqueue(tx, waitlistConfirmJob, { ...requested, network })
  })
}

/** Throws releases.link_over. */
export async function showWaitlistEntry({ db }: CommerceShop, token: string) {
  const entry = await queryFirst(
    db,
    linkedWaitlistEntry,
    sql`
      select p.name as product_name, case when w.confirmed_at is null then 'unconfirmed' else 'confirmed' end as state
      from release_waitlist w join products p on p.id = w.product_id where w.hash = ${hashOf(token)}`,
  )
  if (!entry) throw deliveryProblem('releases.link_over')
  return entry
}

export async function confirmWaitlistEntry(services: CommerceShop, token: string) {
  const { db, clock } = services
  return db.transaction(async (tx) => {
    const entry = await queryFirst(
      tx,
      waitlistEntry,
      sql`
        update release_waitlist w set confirmed_at = coalesce(w.confirmed_at, ${clock()}) from products p
        where p.id = w.product_id and w.hash = ${hashOf(token)}
        returning p.name as product_name`,
    )
    if (!entry) throw deliveryProblem('releases.link_over')
    await scheduleWaitlist(tx, services)
    return entry
  })
}

export async function leaveWaitlist({ db }: CommerceShop, token: string) {
  const entry = await queryFirst(
    db,
    waitlistEntry,
    sql`
      delete from release_waitlist w using products p
      where p.id = w.product_id and w.hash = ${hashOf(token)} returning p.name as product_name`,
  )
  if (!entry) throw deliveryProblem('releases.link_over')
  return entry
}

/** Addresses that never confirmed, and the waitlists of what is not offered any more. */
export async function sweepWaitlist({ db, clock }: CommerceShop): Promise<void> {
  const now = clock()
  const archivedSince = new Date(now.getTime() - archivedDays * dayMs)
  await db.execute(sql`
    delete from release_waitlist w using products p where p.id = w.product_id and (
      w.confirmed_at is null and w.created_at < ${unconfirmedSince(now)}
      or p.archived_at < ${archivedSince})`)
}
