// The day of a product. Until then it is a pre-order: paid at once, and to be had on the day.
import { sql, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryAll, queryFirst, queryOne } from '#platform/db/query.ts'
import { isEntitled, givesProduct, ownersOf, countOrdered } from '#domains/orders/entitlements.ts'
import { isGuestAccount } from '#domains/accounts/accounts.ts'
import { isUnknownMailLimited } from '#domains/accounts/mail-limits.ts'
import { Postponed } from '#platform/queue.ts'
import { deleteEmails, queueScheduledEmails, scheduleEmails } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmailKind } from '#domains/mail/shop.ts'
import { deliveryProblem } from './problem.ts'
import type { Actor } from '#platform/audit-log.ts'
import {
  changeCatalogue,
  lockProduct,
  recordProductEvent,
  setReleaseDay,
  takeReleased,
} from '#domains/catalog/change-products.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { randomBytes } from 'node:crypto'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { hashOf } from '#domains/orders/guest-orders.ts'
import { button, help, paragraph, quiet, renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { release_waitlist } from '#tables/delivery.ts'
import { v7 as uuidv7 } from 'uuid'
import { currentSaleMode, isOnSale } from '#domains/catalog/catalogue.ts'
import { isSelling } from '#contract/catalog/products.ts'

type News = 'out' | 'moved'

/** `out`: it can be had now. `moved`: it comes out on another day, and can be taken back. */
const releaseEmail = (news: News): ScheduledEmailKind => ({
  isBulk: true,
  async compose(db, { about: product_id, user_id, version: release_on }, branding) {
    const mail = user_id && (await findReleaseMail(db, { product_id, user_id, news, release_on }))
    if (!mail) return undefined
    const emails = await import('./editions.emails.ts')
    return { kind: `release_${news}`, email: await emails[news](mail, branding), isUnimportant: true }
  },
})

export const [release_out, release_moved] = [releaseEmail('out'), releaseEmail('moved')]

const composed = z.object({
  to: z.string(),
  name: z.string().nullable(),
  product_name: z.string(),
  is_guest: z.boolean(),
  is_digital: z.boolean(),
  ships: z.boolean(),
  release_on: z.string(),
  /** By the payment provider, so that it can be taken back by a button. */
  is_paid: z.boolean(),
})
export type ReleaseEmail = z.output<typeof composed>

type Reader = { product_id: string; user_id: string; news: News; release_on: string }

/** Undefined for who has no right to it any more, and where the day was moved again. */
function findReleaseMail(db: Db, { product_id, user_id, news, release_on }: Reader) {
  const isNews = news === 'out' ? sql`is_released(product)` : sql`not is_released(product)`
  return queryFirst(
    db,
    composed,
    sql`
      select owner.email as to, owner.display_name as name, ${isGuestAccount(sql`owner.user_id`)} as is_guest,
        product.name as product_name, product.is_digital,
        needs_shipping(product) as ships, product.release_on::text,
        exists (select from purchases p join checkouts c on c.purchase_id = p.id
          where p.user_id = owner.user_id and ${givesProduct(sql`product.id`)} and c.payment_intent is not null) as is_paid
      from products product join profiles owner on owner.user_id = ${user_id}
      where product.id = ${product_id} and product.release_on = ${release_on} and ${isNews} and owner.email <> ''
        and exists (select from purchases p
          where p.user_id = owner.user_id and ${givesProduct(sql`product.id`)} and ${isEntitled(sql`p`)})`,
  )
}

const recipientsOf = (product_id: string, release_on: string) => sql`
  select ${product_id}::uuid, owners.user_id, ${release_on}::text from ${ownersOf(sql`${product_id}::uuid`)} owners`

/** Tells those who have ordered what is out now, and those who wait for it, once: not before there is a file. */
async function startRelease(tx: Transaction, services: BookShop): Promise<void> {
  const now = services.clock()
  for (const { id, release_on } of await takeReleased(tx, now))
    await scheduleEmails(tx, 'release_out', recipientsOf(id, release_on), now)
  await scheduleWaitlist(tx, services)
}

export async function releaseProducts(services: BookShop): Promise<void> {
  await services.db.transaction((tx) => startRelease(tx, services))
}

const maxDaysAhead = 731

const facts = z.object({
  today: z.string(),
  is_too_late: z.boolean(),
  is_future: z.boolean(),
  is_released: z.boolean(),
  ordered: z.number(),
  is_awaited: z.boolean(),
})

type Facts = z.output<typeof facts>

/** Who has ordered it is told of each new day. Without a day, or with one that has begun, it is out now. */
export async function setRelease(
  services: BookShop,
  actor: Actor,
  id: string,
  request: string | null,
): Promise<void> {
  await changeCatalogue(services, async (tx) => {
    const before = await lockProduct(tx, id)
    const facts = await readFacts(tx, id, request)
    if (facts.is_too_late) throw deliveryProblem('releases.too_late')
    if (facts.is_future && facts.is_released && facts.ordered > 0)
      throw deliveryProblem('releases.already_out')
    const day = facts.is_future ? request : dayOfNow(facts, before)
    if (day === before.release_on) return
    const now = services.clock()
    await setReleaseDay(tx, { id, day, now })
    const detail = { release_on: { from: before.release_on, to: day } }
    await recordProductEvent(tx, actor, before, { action: 'products.changed', detail })
    if (facts.is_future && !facts.is_released && day !== null) {
      await deleteEmails(tx, 'release_moved', id)
      await scheduleEmails(tx, 'release_moved', recipientsOf(id, day), now)
    }
    if (day !== null && !facts.is_future) await startRelease(tx, services)
  })
  await queueScheduledEmails(services)
}

/** What was ordered or is awaited keeps a day: the money-back period and the emails begin with it. */
function dayOfNow({ ordered, is_awaited, is_released, today }: Facts, before: { release_on: string | null }) {
  if (ordered === 0 && !is_awaited) return null
  return is_released ? before.release_on : today
}

function readFacts(tx: Transaction, id: string, request: string | null) {
  const query = sql`
    select shop_day()::text as today, coalesce(${request}::date > shop_day(), false) as is_future,
      coalesce(${request}::date > shop_day() + ${maxDaysAhead}::int, false) as is_too_late,
      is_released(products) as is_released, ${countOrdered(sql`products.id`)} as ordered,
      exists (select from release_waitlist w where w.product_id = products.id) as is_awaited
    from products where id = ${id}`
  return queryOne(tx, facts, query)
}

// The waitlist of a product: addresses that get one email on its release, once their mailbox has confirmed it.

export const waitlistConfirmJob = defineMailJob({
  name: 'mail.waitlist_confirm',
  kinds: ['waitlist_confirm'],
  /** `network`: of who entered the address. Jobs of older versions have none. */
  payload: z.object({ id: z.uuid(), network: z.string().optional() }),
  async before(services: BookShop, { id, network }) {
    const email = network && (await findEntry(services.db, id))?.email
    if (email && (await isUnknownMailLimited(services, email, network)))
      throw new Postponed('One network has many emails written to addresses that are not known here.')
  },
  async compose({ db }: BookShop, { id }, branding) {
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

/** Of all products that are out and can be bought: one may be out before the shop sells anything. */
async function scheduleWaitlist(tx: Transaction, services: BookShop): Promise<void> {
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

const pauseMinutes = 10
const unconfirmedDays = 7
/** A product may be brought back. */
const archivedDays = 30
/** To an address that has not confirmed. */
const maxRequests = 3

/** Of several calls for one address, the first in ten minutes sends an email, and three altogether. */
export async function joinWaitlist(
  services: BookShop,
  { product_id, email, network }: { product_id: string; email: string; network: string },
): Promise<void> {
  const { db, mail, queue, clock } = services
  // A shop that has lost its key sold what is out.
  const isNew = (await currentSaleMode(services)) === 'not_for_sale'
  const isAwaited = sql`
    select from products where id = ${product_id} and (${isNew}::boolean or not is_released(products)) and ${isOnSale}`
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
    if (requested) await queue.enqueue(tx, waitlistConfirmJob, { ...requested, network })
  })
}

const productRow = z.object({ product_name: z.string() })

export async function confirmWaitlistEntry(services: BookShop, token: string) {
  const { db, clock } = services
  return db.transaction(async (tx) => {
    const entry = await queryFirst(
      tx,
      productRow,
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
