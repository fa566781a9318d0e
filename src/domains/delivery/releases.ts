// The day of a product. Until then it is a pre-order: paid at once, and to be had on the day.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { isOwned, ownersOf } from '#domains/orders/entitlements.ts'
import { deleteEmails, scheduleEmails } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmailKind } from '#domains/mail/shop.ts'
import { platformProblem } from '#platform/problem.ts'
import { deliveryProblem } from './problem.ts'
import type { Actor } from '#platform/audit-log.ts'
import {
  lockProduct,
  recordProductEvent,
  setReleaseDay,
  takeReleased,
} from '#domains/catalog/change-products.ts'
import { extendLinks } from '#domains/orders/guest-orders.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { findReleaseMail, type ReleaseNews } from './release-mail.ts'
import { scheduleWaitlist } from './waitlist.ts'

/** `out`: it can be had now. `moved`: it comes out on another day, and can be taken back. */
const releaseEmail = (news: ReleaseNews): ScheduledEmailKind => ({
  isBulk: true,
  async compose(db, { about: product_id, user_id, version: release_on }, branding) {
    const mail = user_id && (await findReleaseMail(db, { product_id, user_id, news, release_on }))
    if (!mail) return undefined
    const emails = await import('./editions.emails.ts')
    const email = await emails[news](mail, branding)
    return { kind: `release_${news}`, email, purchase_id: mail.purchase_id, isUnimportant: true }
  },
})

export const [release_out, release_moved] = [releaseEmail('out'), releaseEmail('moved')]

const recipientsOf = (product_id: string, release_on: string) => sql`
  select ${product_id}::uuid, owners.user_id, ${release_on}::text from ${ownersOf(sql`${product_id}::uuid`)} owners`

/** Tells those who have ordered what is out now, and those who wait for it, once: not before there is a file. */
async function startRelease(tx: Transaction, services: CommerceShop): Promise<void> {
  const now = services.clock()
  for (const { id, release_on } of await takeReleased(tx, now))
    await scheduleEmails(tx, 'release_out', recipientsOf(id, release_on), now)
  await scheduleWaitlist(tx, services)
}

export async function releaseProducts(services: CommerceShop): Promise<void> {
  await services.db.transaction((tx) => startRelease(tx, services))
}

const maxDaysAhead = 731

const facts = z.object({
  today: z.string(),
  is_too_late: z.boolean(),
  is_future: z.boolean(),
  is_released: z.boolean(),
  is_owned: z.boolean(),
  is_awaited: z.boolean(),
})

type Facts = z.output<typeof facts>

type Release = { id: string; release_on: string | null }

/**
 * Buyers who have ordered it are told of each new day. Without a day it is out now. Queue the scheduled emails after the commit.
 * Throws releases.already_out, releases.too_late, and request.invalid for a day that has begun.
 */
export async function setRelease(
  tx: Transaction,
  services: CommerceShop,
  actor: Actor,
  { id, release_on }: Release,
): Promise<void> {
  const before = await lockProduct(tx, id)
  if (release_on !== null && release_on === before.release_on) return
  const facts = await readFacts(tx, id, release_on)
  requireDay(release_on, facts, 'release_on')
  if (facts.is_future && facts.is_released && facts.is_owned) throw deliveryProblem('releases.already_out')
  const day = facts.is_future ? release_on : dayOfNow(facts, before)
  if (day === before.release_on) return
  const now = services.clock()
  await setReleaseDay(tx, { id, day, now })
  await extendLinks(tx, id)
  const detail = { release_on: { from: before.release_on, to: day } }
  await recordProductEvent(tx, actor, before, { action: 'products.changed', detail })
  if (facts.is_future && !facts.is_released && day !== null) {
    await deleteEmails(tx, 'release_moved', id)
    await scheduleEmails(tx, 'release_moved', recipientsOf(id, day), now)
  }
  if (day !== null && !facts.is_future) await startRelease(tx, services)
}

/** Throws as setRelease, for a product that is not there yet. */
export async function requireReleaseDay(
  db: Db,
  release_on: string | null,
  field = 'release_on',
): Promise<void> {
  if (release_on === null) return
  requireDay(release_on, await queryOne(db, dayFacts, selectDayFacts(release_on)), field)
}

type DayFacts = z.output<typeof dayFacts>

function requireDay(release_on: string | null, { is_too_late, is_future }: DayFacts, field: string): void {
  if (is_too_late) throw deliveryProblem('releases.too_late')
  if (release_on !== null && !is_future)
    throw platformProblem('request.invalid', { fields: { [field]: 'Please choose a day to come.' } })
}

/** A product that was ordered or is awaited keeps a day: the money-back period and the emails begin with it. */
function dayOfNow(
  { is_owned, is_awaited, is_released, today }: Facts,
  before: { release_on: string | null },
) {
  if (!is_owned && !is_awaited) return null
  return is_released ? before.release_on : today
}

const dayFacts = facts.pick({ is_too_late: true, is_future: true })

const selectDayFacts = (release_on: string | null) => sql`
  select coalesce(${release_on}::date > shop_day(), false) as is_future,
    coalesce(${release_on}::date > shop_day() + ${maxDaysAhead}::int, false) as is_too_late`

function readFacts(tx: Transaction, id: string, release_on: string | null) {
  const query = sql`
    select day.*, shop_day()::text as today, is_released(products) as is_released,
      ${isOwned(sql`products.id`)} as is_owned,
      exists (select from release_waitlist w where w.product_id = products.id) as is_awaited
    from products, (${selectDayFacts(release_on)}) day where products.id = ${id}`
  return queryOne(tx, facts, query)
}
