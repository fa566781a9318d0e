// All emails to the author that tell what happened in the shop. To add one: a file with its `AuthorEmail`, its name in
// contract/settings/author-emails.ts, and its line here.
import { dayMs } from '#contract/durations.ts'
import { formatDay, formatDayIn, formatDeclared } from '#contract/intl.ts'
import { fill } from '#words/texts.ts'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { cardsTexts } from '#words/buying.ts'
import { emailsTexts } from '#words/emails.ts'
import { soldCounts, type SoldCounts } from '#contract/sold-counts.ts'
import { addCents, formatMoney, fromCents } from '#contract/money.ts'
import { midnight, dayIn, isOnDay, cents, queryAll, queryFirst } from '#platform/db/query.ts'
import { button, facts, paragraph, quotation, quiet } from '#domains/mail/email-blocks.ts'
import { plainLine } from '#domains/mail/plain-line.ts'
import { notifyAuthor } from '#domains/mail/author-emails.jobs.ts'
import type { AuthorEmail } from '#domains/mail/shop.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines } from '#contract/orders/postal.ts'
import { storedAddress } from '#contract/orders/shipments.ts'
import { refundRight } from '#domains/orders/refund-right.ts'
import { daySums } from '#domains/orders/day-sums.ts'
import { addressOf, listParcels } from '#domains/orders/shipments.ts'
import { isRefused, isReturned } from './attention.ts'
import type { BackupShop } from '#domains/backup/shop.ts'

/** The purchase `p` was paid with real money. */
const isLiveSale = sql`(is_completed(p.status) and p.amount > 0 and exists (
  select from checkouts c where c.purchase_id = p.id and c.is_live))`

/** The sales of a day after this one are summed up on the next morning. */
const maxSingleSales = 9

const buyerOf = (purchase: SQL) => sql`(
  select jsonb_build_object('name', coalesce(buyer_name(${purchase}.id), ''), 'email', u.email)
  from profiles u where u.user_id = ${purchase}.user_id)`

const productRow = z.object({
  name: z.string(),
  ...soldCounts.shape,
  revenue: cents,
})
type ProductSales = z.output<typeof productRow>

const sumsOf = daySums('sold', 'free', 'tests', 'revenue')

const countOf = (rows: readonly ProductSales[], key: keyof SoldCounts) =>
  rows.reduce((sum, row) => sum + row[key], 0)

const revenueOf = (rows: readonly ProductSales[], currency: string) =>
  formatMoney(fromCents(addCents(rows.map(({ revenue }) => revenue))), currency)

/** The sum of all products, and each that was sold or refunded. */
function salesFacts(rows: readonly ProductSales[], currency: string) {
  const { sold, free, tests, revenue } = emailsTexts.author
  const beside = [
    [free, countOf(rows, 'free')],
    [tests, countOf(rows, 'tests')],
  ] as const
  return facts([
    [sold, `${countOf(rows, 'sold')}`],
    [revenue, revenueOf(rows, currency)],
    ...rows
      .filter((row) => row.sold > 0 || row.revenue !== 0n)
      .map((row) => [row.name, `${row.sold} · ${formatMoney(fromCents(row.revenue), currency)}`] as const),
    ...beside.filter(([, count]) => count > 0).map(([name, count]) => [name, `${count}`] as const),
  ])
}

/** The id is a day, as 2026-11-05: of one with many sales, on the next morning. */
const dailySales: AuthorEmail = {
  setting: 'sale',
  async compose({ db, settings, payments }, day, siteUrl) {
    if (payments.mode() !== 'live') return undefined
    const { currency } = settings.get().shop
    const rows = await queryAll(
      db,
      productRow,
      sql`
      select b.name, ${sumsOf} from sales_day s join products b on b.id = s.product_id
      where s.day = ${day}::date group by b.id order by revenue desc, b.name`,
    )
    const count = countOf(rows, 'sold')
    if (count <= maxSingleSales) return undefined
    const texts = emailsTexts.author.daily
    const date = formatDay(day)
    return {
      subject: fill(texts.subject, { count, date }),
      title: fill(texts.title, { date }),
      preview: revenueOf(rows, currency),
      children: [salesFacts(rows, currency), button(emailsTexts.author.allSales, `${siteUrl}/admin/sales`)],
    }
  },
}

const disputeRow = z.object({
  number: z.number(),
  amount: cents,
  currency: z.string(),
  product_name: z.string(),
  answer_by: z.coerce.date(),
  is_of_link: z.boolean(),
  buyer: z.object({ email: z.string() }),
})

/** The id is that of the purchase. One that can no longer be responded to, as after a restore, is not told of. */
const dispute: AuthorEmail = {
  setting: 'dispute',
  async compose({ db, settings }, id, siteUrl) {
    const { time_zone } = settings.get().shop
    const record = await queryFirst(
      db,
      disputeRow,
      sql`
      select p.number, p.amount, p.currency, b.name as product_name, c.answer_by,
        c.sold_by is not distinct from 'stripe' as is_of_link, ${buyerOf(sql`p`)} as buyer
      from checkouts c join purchases p on p.id = c.purchase_id join products b on b.id = p.product_id
      where c.purchase_id = ${id} and c.is_live and c.answer_by > now()`,
    )
    if (!record) return undefined
    const texts = emailsTexts.author.dispute
    const order: [string, string][] = [
      [emailsTexts.shared.order, formatOrderNumber(record.number)],
      [emailsTexts.shared.book, record.product_name],
      [emailsTexts.author.sale.amount, formatMoney(fromCents(record.amount), record.currency)],
      [emailsTexts.author.sale.buyer, record.buyer.email],
    ]
    const url = `${siteUrl}/admin/purchases/${id}`
    const about = { title: texts.title, preview: record.product_name }
    if (record.is_of_link) {
      const children = [paragraph(texts.ofLink), facts(order), button(emailsTexts.author.sale.button, url)]
      return { subject: texts.title, ...about, children }
    }
    return {
      subject: fill(texts.subject, { date: formatDayIn(record.answer_by, time_zone) }),
      ...about,
      children: [
        paragraph(texts.text),
        facts([...order, [texts.until, formatDeclared(record.answer_by, time_zone)]]),
        button(texts.button, `${url}/evidence`),
      ],
    }
  },
}

const kinds = ['mail', 'held', 'refund', 'refund_failed', 'event', 'lost_file'] as const
const failureRow = z.object({ kind: z.enum(kinds), count: z.number() })

/** The id is a day, as 2026-11-05: what failed on it, and still waits for the author on the next morning. */
const failures: AuthorEmail = {
  setting: 'failures',
  async compose({ db, settings }, day, siteUrl) {
    const { time_zone } = settings.get().shop
    const isOfDay = (moment: SQL) => isOnDay(moment, day, time_zone)
    const rows = await queryAll(
      db,
      failureRow,
      sql`
      select kind, count(*) from (
        select 'mail' as kind from mails where ${isOfDay(sql`given_up_at`)}
        union all
        select 'held' from checkouts
        where held_reason is not null and dismissed_at is null and ${isOfDay(sql`created_at`)}
        union all
        select 'refund' from refund_requests n where ${isRefused} and ${isOfDay(sql`n.created_at`)}
        union all
        select 'refund_failed' from failed_refunds n where ${isReturned} and ${isOfDay(sql`n.created_at`)}
        union all
        select 'event' from payment_events
        where problem is not null and handled_at is null and ${isOfDay(sql`received_at`)}
        union all
        select 'lost_file' from product_files where ${isOfDay(sql`lost_at`)}
      ) failed group by kind order by kind`,
    )
    if (rows.length === 0) return undefined
    const texts = emailsTexts.author.failures
    const title = fill(texts.title, { date: formatDay(day) })
    return {
      subject: title,
      title,
      preview: rows.map(({ kind }) => texts.kinds[kind]).join(', '),
      children: [
        paragraph(texts.text),
        facts(rows.map(({ kind, count }) => [texts.kinds[kind], `${count}`] as const)),
        button(texts.button, `${siteUrl}/admin/payments`),
      ],
    }
  },
}

/** The id is a day, as 2026-11-05: of its orders, what is not shipped on the next morning. */
const parcels: AuthorEmail = {
  setting: 'parcels',
  async compose({ db, settings }, day, siteUrl) {
    const { time_zone } = settings.get().shop
    const parcels = await listParcels(db, midnight(day, time_zone), midnight(day, time_zone, 1))
    if (parcels.length === 0) return undefined
    const texts = emailsTexts.author.parcels
    const title = fill(texts.title, { date: formatDay(day) })
    return {
      subject: title,
      title,
      preview: parcels.map(({ product_name }) => product_name).join(', '),
      children: [
        facts(
          parcels.map(({ number, product_name, address, release_on }) => {
            const place = address ? plainLine(addressLines(address).join(', '), 400) : texts.noAddress
            const day = release_on && fill(cardsTexts.outOn, { date: formatDay(release_on) })
            const parts = [product_name, day, place].filter(Boolean)
            return [formatOrderNumber(number), parts.join(' · ')] as const
          }),
        ),
        button(texts.button, `${siteUrl}/admin/shipping`),
      ],
    }
  },
}

const refundRow = z.object({
  number: z.number(),
  product_name: z.string(),
  reason: z.string(),
  right: z.string().nullable(),
  is_test: z.boolean(),
  buyer: z.object({ email: z.string() }),
})

/** The id is that of the purchase. Only of a request that waits for the author, who may rehearse it with a test order. */
const refundAsked: AuthorEmail = {
  setting: 'refund_asked',
  async compose({ db }, id, siteUrl) {
    const record = await queryFirst(
      db,
      refundRow,
      sql`
      select p.number, b.name as product_name, w.reason, ${buyerOf(sql`p`)} as buyer,
        ${refundRight(sql`p`, sql`w.declared_at`)} as right, p.is_test
      from withdrawals w join purchases p on p.id = w.purchase_id join products b on b.id = p.product_id
      where w.purchase_id = ${id} and w.decided_at is null and is_completed(p.status) and p.amount > 0`,
    )
    if (!record) return undefined
    const { byLaw, ...asked } = emailsTexts.author.refundAsked
    const texts = record.right === 'law' ? byLaw : asked
    return {
      subject: fill(texts.subject, { order: formatOrderNumber(record.number) }),
      title: texts.title,
      preview: record.product_name,
      children: [
        record.is_test && paragraph(emailsTexts.receipt.testMode),
        facts([
          [emailsTexts.shared.order, formatOrderNumber(record.number)],
          [emailsTexts.shared.book, record.product_name],
          [emailsTexts.author.sale.buyer, record.buyer.email],
        ]),
        record.reason !== '' && quotation(record.reason),
        button(texts.button, `${siteUrl}/admin/payments`),
      ],
    }
  },
}

const row = z.object({
  number: z.number(),
  amount: cents,
  currency: z.string(),
  created_at: z.coerce.date(),
  product_name: z.string(),
  buyer: z.object({ name: z.string(), email: z.string() }),
  has_parcel: z.boolean(),
  address: storedAddress.nullable(),
})

/** The id is that of the purchase. Of an old one, as when its receipt is sent again, nothing is told. */
const sale: AuthorEmail = {
  setting: 'sale',
  async compose({ db, settings }, id, siteUrl) {
    const record = await queryFirst(
      db,
      row,
      sql`
      select p.number, p.amount, p.currency, p.created_at, b.name as product_name, ${buyerOf(sql`p`)} as buyer,
        exists (select from shipments where purchase_id = p.id) as has_parcel, ${addressOf(sql`p`)} as address
      from purchases p join products b on b.id = p.product_id
      where p.id = ${id} and ${isLiveSale} and p.created_at > now() - interval '3 days'`,
    )
    if (!record) return undefined
    const { time_zone } = settings.get().shop
    const begin = midnight(dayIn(time_zone, record.created_at), time_zone)
    const { count } = (await queryFirst(
      db,
      z.object({ count: z.number() }),
      sql`select count(*) from (
        select from purchases p where p.created_at >= ${begin} and ${isLiveSale}
          and (p.created_at, p.id) <= (select created_at, id from purchases where id = ${id})
        limit ${maxSingleSales + 1}) sold`,
    )) ?? { count: 0 }
    if (count > maxSingleSales) return undefined
    const texts = emailsTexts.author.sale
    const amount = formatMoney(fromCents(record.amount), record.currency)
    const name = plainLine(record.buyer.name, 60)
    const buyer = name ? `${name}, ${record.buyer.email}` : record.buyer.email
    return {
      subject: fill(texts.subject, { product: record.product_name, amount }),
      title: texts.title,
      preview: buyer,
      children: [
        facts([
          [emailsTexts.shared.book, record.product_name],
          [texts.amount, amount],
          [texts.buyer, buyer],
          [emailsTexts.shared.order, formatOrderNumber(record.number)],
        ]),
        record.has_parcel && paragraph(parcelText(record.address)),
        button(texts.button, `${siteUrl}/admin/purchases/${id}`),
      ],
    }
  },
}

function parcelText(address: z.output<typeof storedAddress> | null): string {
  const texts = emailsTexts.author.sale
  if (!address) return texts.noAddress
  const lines = addressLines({ ...address, phone: '' })
  return fill(texts.parcel, { address: plainLine(lines.join(', '), 400) })
}

const weekRow = productRow.extend({ is_before: z.boolean() })

/** The id is the Monday after the week, as 2026-11-09. Not of two weeks in which nothing was sold. */
const weeklySummary: AuthorEmail = {
  setting: 'weekly_summary',
  async compose({ db, settings, payments }, monday, siteUrl) {
    if (payments.mode() !== 'live') return undefined
    const { currency } = settings.get().shop
    const rows = await queryAll(
      db,
      weekRow,
      sql`
      select b.name, s.day < ${monday}::date - 7 as is_before, ${sumsOf}
      from sales_day s join products b on b.id = s.product_id
      where s.day between ${monday}::date - 14 and ${monday}::date - 1
      group by b.id, 2 order by revenue desc, b.name`,
    )
    if (rows.every(({ sold, revenue }) => sold === 0 && revenue === 0n)) return undefined
    const [week, before] = [
      rows.filter(({ is_before }) => !is_before),
      rows.filter(({ is_before }) => is_before),
    ]
    const texts = emailsTexts.author.weekly
    const amount = revenueOf(week, currency)
    return {
      subject: fill(texts.subject, { count: countOf(week, 'sold'), amount }),
      title: texts.title,
      preview: amount,
      children: [
        salesFacts(week, currency),
        quiet(fill(texts.before, { count: countOf(before, 'sold'), amount: revenueOf(before, currency) })),
        button(emailsTexts.author.allSales, `${siteUrl}/admin/sales`),
      ],
    }
  },
}

export const authorEmails: BackupShop['authorEmails'] = {
  sale,
  daily_sales: dailySales,
  parcels,
  failures,
  refund_asked: refundAsked,
  dispute,
  weekly_summary: weeklySummary,
}

const morningHour = 7

/** Hourly, from seven in the morning on: of the day before, and on Mondays of the week before. */
export async function sendSummaries(services: BackupShop): Promise<void> {
  const { db, clock, settings } = services
  const { time_zone } = settings.get().shop
  const now = clock()
  const hour = Number(now.toLocaleString('en-GB', { timeZone: time_zone, hour: '2-digit', hourCycle: 'h23' }))
  if (hour < morningHour) return
  const today = dayIn(time_zone, now)
  const yesterday = new Date(Date.parse(today) - dayMs).toISOString().slice(0, 10)
  for (const name of ['daily_sales', 'parcels', 'failures'] as const)
    await notifyAuthor(db, services, name, yesterday)
  if (new Date(today).getUTCDay() === 1) await notifyAuthor(db, services, 'weekly_summary', today)
}
