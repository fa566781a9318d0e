// The day of a product. Until then it is a pre-order: paid at once, and to be had on the day.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryFirst, queryAll, queryOne } from '#platform/db/query.ts'
import { isEntitled, givesProduct, ownersOf, countOrdered } from '#domains/orders/entitlements.ts'
import { isGuestAccount } from '#domains/accounts/accounts.ts'
import { defineBulkMailJob, queueBulkMails, type BulkList } from '#domains/mail/bulk-mails.ts'
import { release_mails, releaseEvents } from '#tables/delivery.ts'
import { waitlistOutJob } from './waitlist.ts'
import { deliveryProblem } from './problem.ts'
import type { Actor } from '#platform/audit-log.ts'
import { changeCatalogue, lockProduct, recordProductEvent } from '#domains/catalog/change-products.ts'
import { setReleaseDay, takeReleased } from '#domains/catalog/change-products.ts'
import type { BookShop } from '#domains/book/shop.ts'

const releaseMail = z.object({
  product_id: z.uuid(),
  user_id: z.uuid(),
  news: z.enum(releaseEvents),
  release_on: z.string(),
})
type ReleaseMailRow = z.output<typeof releaseMail>

function defineReleaseMailJob(news: ReleaseMailRow['news']) {
  return defineBulkMailJob({
    name: `mail.release_${news}`,
    kind: `release_${news}`,
    payload: releaseMail,
    async compose({ db }, row, branding) {
      const mail = await findReleaseMail(db, row)
      if (!mail) return undefined
      const emails = await import('./releases.emails.ts')
      return emails[news](mail, branding)
    },
    async save(db, { product_id, user_id, release_on }, state) {
      await db
        .update(release_mails)
        .set(state)
        .where(
          sql`product_id = ${product_id} and user_id = ${user_id} and news = ${news} and release_on = ${release_on}`,
        )
    },
  })
}

export const releaseMailJobs = { out: defineReleaseMailJob('out'), moved: defineReleaseMailJob('moved') }

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

/** Undefined for who has no right to it any more, and where the day was moved again. */
function findReleaseMail(db: Db, { product_id, user_id, news, release_on }: ReleaseMailRow) {
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

/** Puts those who have ordered what is out now on the list, once: not before there is a file. */
async function startRelease(tx: Transaction, { clock }: BookShop): Promise<void> {
  for (const { id, release_on } of await takeReleased(tx, clock()))
    await tx.execute(sql`
      insert into release_mails (product_id, user_id, news, release_on)
      select ${id}, owners.user_id, 'out', ${release_on} from ${ownersOf(sql`${id}::uuid`)} owners
      on conflict do nothing`)
}

export async function releaseProducts(services: BookShop): Promise<void> {
  await services.db.transaction((tx) => startRelease(tx, services))
}

const taken = releaseMail.extend({ mail_id: z.string() })

export const releaseMailList: BulkList = {
  async take(tx, { queue, clock }, limit) {
    const next = await queryAll(
      tx,
      taken,
      sql`
        update release_mails m set queued_at = ${clock()}, mail_id = gen_random_uuid()
        from (
          select product_id, user_id, news, release_on from release_mails
          where queued_at is null order by product_id, user_id limit ${limit}) next
        where (m.product_id, m.user_id, m.news, m.release_on) = (next.product_id, next.user_id, next.news, next.release_on)
        returning m.product_id, m.user_id, m.news, m.release_on::text, m.mail_id`,
    )
    for (const { mail_id, ...payload } of next)
      await queue.enqueue(tx, releaseMailJobs[payload.news], payload, mail_id)
    return next.length
  },
}

const waitlistEntry = z.object({ id: z.string(), mail_id: z.string() })

export const waitlistMailList: BulkList = {
  async take(tx, { queue, clock }, limit) {
    const next = await queryAll(
      tx,
      waitlistEntry,
      sql`
        update release_waitlist w set queued_at = ${clock()}, mail_id = gen_random_uuid()
        from (
          select w.id from release_waitlist w join products p on p.id = w.product_id
          where p.release_queued_at is not null and w.confirmed_at is not null and w.queued_at is null
          order by w.product_id, w.id limit ${limit}) next
        where w.id = next.id
        returning w.id, w.mail_id`,
    )
    for (const { mail_id, id } of next) await queue.enqueue(tx, waitlistOutJob, { id }, mail_id)
    return next.length
  },
}

export const queueReleaseMails = (services: Parameters<typeof queueBulkMails>[0]) =>
  queueBulkMails(services, [releaseMailList, waitlistMailList])

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
    await setReleaseDay(tx, { id, day, now: services.clock() })
    const detail = { release_on: { from: before.release_on, to: day } }
    await recordProductEvent(tx, actor, before, { action: 'products.changed', detail })
    if (facts.is_future && !facts.is_released)
      await tx.execute(sql`
        insert into release_mails (product_id, user_id, news, release_on)
        select ${id}, owners.user_id, 'moved', ${day} from ${ownersOf(sql`${id}::uuid`)} owners
        on conflict (product_id, user_id, news, release_on) do update set queued_at = null, mail_id = null, outcome = null`)
    if (day !== null && !facts.is_future) await startRelease(tx, services)
  })
  await queueReleaseMails(services)
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
      exists (select from release_waitlist w where w.product_id = products.id and w.queued_at is null) as is_awaited
    from products where id = ${id}`
  return queryOne(tx, facts, query)
}
