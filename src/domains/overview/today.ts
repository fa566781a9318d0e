// The first screen of the admin area shows this of today; the counts in its navigation are here, too.
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import type { Db } from '#platform/db/client.ts'
import { queryAll, queryOne, dayIn } from '#platform/db/query.ts'
import { isGivenAway } from '#domains/catalog/catalogue.ts'
import { daySum, daySums } from '#domains/orders/day-sums.ts'
import { isEntitled, isShownAsTest } from '#domains/orders/entitlements.ts'
import { today, type Counts, type Today, type Undelivered } from '#contract/overview/today.ts'
import type { PublishedBook } from '#domains/book/published-book.ts'
import { countGivenUp, webhookStateOf } from '#domains/mail/webhook-deliveries.ts'
import { listUnrehearsed } from '#domains/backup/backup-checks.ts'
import { addressVerdict } from './address-check.ts'
import { countUnanswered } from '#domains/readers/messages.ts'
import { countAttentionItems } from './attention.ts'
import { countToShip } from '#domains/orders/shipments.ts'
import { listLeftAtOldPrice } from '#domains/payments/old-prices.ts'
import type { BackupShop } from '#domains/backup/shop.ts'
import { listEuPaperLacks } from './eu-paper-lacks.ts'
import { findTaxQuestion } from './tax-question.ts'

const days = 7
const maxRows = 10
/** The newest of those who mistype are read. */
const maxFailures = 500

/** Each source is read by an index of its newest rows. Nobody is written to: the author looks first. */
function listUndelivered(db: Db): Promise<Undelivered[]> {
  // The ids of downloads begin with their time.
  const firstId = uuidv7({ msecs: Date.now() - days * dayMs, seq: 0, random: new Uint8Array(16) })
  const since = sql`now() - ${`${days} days`}::interval`
  return queryAll(
    db,
    today.shape.undelivered.element,
    sql`
    with receipts as (
      select purchase_id, 'receipt' as reason, max(created_at) as at from mails
      where status = 'failed' and kind = 'receipt' and given_up_at is null
        and created_at between ${since} and now() - interval '1 hour'
      group by purchase_id
    ), begun as (
      select purchase_id, started_at,
        started_at - lag(started_at, 2) over (partition by purchase_id order by started_at) as took
      from downloads
      where id >= ${firstId}::uuid and started_at is not null and sent_bytes is not null and finished_at is null
    ), broken as (
      select purchase_id, 'downloads' as reason, max(started_at) as at from begun
      where took <= interval '1 hour' and not exists (
        select from downloads d where d.purchase_id = begun.purchase_id and d.finished_at is not null)
      group by purchase_id
    ), failures as (
      -- A row counts those of an hour, under the address or the account.
      select user_id, email, attempts, created_at from auth.audit_log
      where created_at >= ${since} and event in ('sign_in_failed', 'sign_in_blocked', 'wrong_code')
      order by created_at desc limit ${maxFailures}
    ), refused as (
      select user_id, max(created_at) + interval '1 hour' as at from (
        select user_id, attempts, created_at from failures where user_id is not null
        union all
        select u.user_id, f.attempts, f.created_at from failures f join profiles u on u.email = f.email
      ) counted
      group by user_id having sum(attempts) >= 3
    ), locked_out as (
      select p.id as purchase_id, 'sign_ins' as reason, r.at from refused r
      join auth.users u on u.id = r.user_id
      join lateral (
        select id, created_at from purchases where user_id = r.user_id and created_at <= r.at
        order by created_at desc limit 1
      ) p on true
      where (u.last_sign_in_at is null or u.last_sign_in_at < p.created_at)
        and not exists (select from downloads d where d.purchase_id = p.id and d.started_at is not null)
    ), found as (
      select distinct on (purchase_id) purchase_id, reason, at
      from (select * from receipts union all select * from broken union all select * from locked_out) each
      order by purchase_id, at desc
    )
    select f.purchase_id, p.number, b.name as product_name, u.email, f.reason, ${isShownAsTest(sql`p`)} as is_test
    from found f
    join purchases p on p.id = f.purchase_id
    join products b on b.id = p.product_id
    join profiles u on u.user_id = p.user_id
    where ${isEntitled(sql`p`)}
    order by f.at desc limit ${maxRows}`,
  )
}

export async function readCounts(services: BackupShop): Promise<Counts> {
  const { db } = services
  const [counts, to_ship, unanswered] = await Promise.all([
    countAttentionItems(services),
    countToShip(db),
    countUnanswered(db),
  ])
  return { ...counts, to_ship, unanswered }
}

export async function readToday(services: BackupShop): Promise<Today> {
  const { db, settings, clock, payments } = services
  const { shop } = settings.get()
  const day = dayIn(shop.time_zone, clock())
  const address = addressVerdict(shop, undefined, clock())
  const [book, { products }] = await Promise.all([services.book.get(), services.catalogue.get()])
  const [sales, places, undelivered, unready, left_at_old_price] = await Promise.all([
    readSales(db, day),
    listUnrehearsed(db),
    listUndelivered(db),
    listProductsMissingFiles(db),
    listLeftAtOldPrice(services),
  ])
  return {
    day,
    local_site: address.state === 'warn' ? address : null,
    unsaid_refund_days: unsaidRefundDays(book),
    is_given_away: await isGivenAway(services),
    sales: today.shape.sales.parse(sales),
    usual: sales.is_known
      ? { sold: sales.usual_sold, free: sales.usual_free, revenue: sales.usual_revenue }
      : null,
    quiet_since: payments.mode() === 'live' && isQuiet(sales) ? sales.last_day : null,
    undelivered,
    unready,
    left_at_old_price,
    eu_paper_lacks: await listEuPaperLacks(services, book, products),
    webhook: await readWebhook(services),
    tax_question: findTaxQuestion(services, book, products),
    unrehearsed: places,
  }
}

async function readWebhook(services: BackupShop): Promise<Today['webhook']> {
  const state = webhookStateOf(services.settings)
  const { host } = services.settings.get().webhook
  return state === 'none' ? null : { state, host, given_up: await countGivenUp(services) }
}

function unsaidRefundDays({ is_own, document: { refund_days, claims } }: PublishedBook): number | null {
  return is_own && refund_days > 0 && claims.refund === '' ? refund_days : null
}

const salesRow = today.shape.sales.extend({
  usual_sold: z.number(),
  usual_free: z.number(),
  usual_revenue: z.number(),
  is_known: z.boolean(),
  last_day: z.string().nullable(),
  quiet_days: z.number().nullable(),
  days_with_sales: z.number(),
})
type SalesRow = z.output<typeof salesRow>

/** The sums of the last 120 days are read: the cost does not grow with the number of purchases. */
function readSales(db: Db, day: string): Promise<SalesRow> {
  const isDay = sql`day = ${day}::date`
  const isUsual = isUsualDay(day)
  return queryOne(
    db,
    salesRow,
    sql`
    with days as (
      select day, ${daySums('sold', 'free', 'tests', 'revenue', 'refunded')} from sales_day s
      where day between ${day}::date - 120 and ${day}::date group by day
    ), last as (select max(day) as day from days where sold > 0)
    select ${daySum('sold', isDay)} as sold, ${daySum('free', isDay)} as free, ${daySum('tests', isDay)} as tests,
      ${daySum('revenue', isDay)} as revenue, ${daySum('refunded', isDay)} as refunded,
      round(${daySum('sold', isUsual)} / 8.0, 1) as usual_sold,
      round(${daySum('free', isUsual)} / 8.0, 1) as usual_free,
      round(${daySum('revenue', isUsual)} / 8.0, 2) as usual_revenue,
      exists (select from sales_day where day <= ${day}::date - 28) as is_known,
      (select day::text from last) as last_day,
      (select ${day}::date - day from last) as quiet_days,
      count(*) filter (where sold > 0 and day > (select day from last) - 60) as days_with_sales
    from days s`,
  )
}

const isUsualDay = (day: string) =>
  sql`day between ${day}::date - 56 and ${day}::date - 7 and (${day}::date - day) % 7 = 0`

/** Five times as long as between two days with sales, of the sixty days before; not for a shop that sells rarely. */
function isQuiet({ quiet_days, days_with_sales }: SalesRow): boolean {
  if (quiet_days === null || days_with_sales < 10) return false
  return quiet_days > Math.max(2, (5 * 60) / days_with_sales)
}

const releaseDays = 7

/**
 * A file that was lost needs attention already. Until the first order, the checklist of the product says it; who has bought it
 * waits also for what is not for sale any more.
 */
function listProductsMissingFiles(db: Db): Promise<Today['unready']> {
  return queryAll(
    db,
    today.shape.unready.element,
    sql`
    select id as product_id, name, null as release_on from products
    where delivery_gap(products) in ('no_file', 'part_without_file')
      and exists (select from purchases p
        where p.product_id = products.id and ${isEntitled(sql`p`)} and not ${isShownAsTest(sql`p`)})
    union all
    select id, name, release_on::text from products
    where is_for_sale and archived_at is null and format = 'digital' and download_url is null
      and release_on > shop_day() and release_on <= shop_day() + ${releaseDays}::int
      and not exists (select from product_files f where f.product_id = products.id)
    order by name limit 10`,
  )
}
