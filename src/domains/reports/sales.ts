// Totals, chart and report of sales, read from the sums of days.
import { desc, sql, type SQL } from 'drizzle-orm'
import { dayMs } from '#contract/durations.ts'
import { addCents, fromCents, toCents } from '#contract/money.ts'
import type { Db } from '#platform/db/client.ts'
import { dayIn, queryAll, queryOne } from '#platform/db/query.ts'
import { isGivenAway } from '#domains/catalog/catalogue.ts'
import { daySum, daySums } from '#domains/orders/day-sums.ts'
import { selectOrders, toOrder } from '#domains/orders/purchases.ts'
import { purchases } from '#tables/orders.ts'
import {
  salesChart,
  salesTotals,
  type Sales,
  type SalesChart,
  salesReport,
  type ReportRequest,
  type ReportSums,
  type SalesReport,
} from '#contract/reports/sales.ts'
import type { SoldCounts } from '#contract/sold-counts.ts'
import { platformProblem } from '#platform/problem.ts'
import type { BackupShop } from '#domains/backup/shop.ts'

const recentCount = 10
const chartDays = 30

export async function readSales(db: Db): Promise<Sales> {
  const [totals, rows] = await Promise.all([
    readTotals(db),
    selectOrders(db).orderBy(desc(purchases.created_at), desc(purchases.id)).limit(recentCount),
  ])
  return { totals, recent: rows.map(toOrder) }
}

function readTotals(db: Db) {
  const query = sql`
    select ${daySum('revenue')} as total_revenue, ${daySum('purchases')} as total_purchases,
      ${daySum('completed')} as completed_purchases,
      (select coalesce(sum(users), 0) from user_count) as total_users
    from sales_day s`
  return queryOne(db, salesTotals, query)
}

export async function readChart(services: BackupShop): Promise<SalesChart> {
  const { db, settings, clock } = services
  const today = dayIn(settings.get().shop.time_zone, clock())
  const query = sql`
    select day.day::date::text as day, ${daySums('sold', 'free', 'tests', 'revenue')}
    from generate_series(${today}::date - ${2 * chartDays - 1}::int, ${today}::date, interval '1 day') day
    left join sales_day s on s.day = day.day
    group by day.day order by day.day`
  const days = await queryAll(db, salesChart.shape.steps.element, query)
  const [earlier, steps] = [days.slice(0, chartDays), days.slice(chartDays)]
  const revenueOf = (summed: typeof days) =>
    fromCents(addCents(summed.map(({ revenue }) => toCents(revenue))))
  const count = (key: keyof SoldCounts) => steps.reduce((sum, step) => sum + step[key], 0)
  return {
    is_given_away: await isGivenAway(services),
    steps,
    total: { sold: count('sold'), free: count('free'), tests: count('tests'), revenue: revenueOf(steps) },
    before: { days: chartDays, revenue: revenueOf(earlier), steps: earlier.map(({ revenue }) => revenue) },
  }
}

const maxDays = 3700

type Range = { from: string; to: string }

export async function readSalesReport(services: BackupShop, request: ReportRequest): Promise<SalesReport> {
  const { db, settings, clock } = services
  const { time_zone } = settings.get().shop
  const today = dayIn(time_zone, clock())
  const { from, to } = requestedRange(request, today)
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1)
    throw platformProblem('request.invalid', { fields: { to: 'The range ends before it begins.' } })
  if (days > maxDays)
    throw platformProblem('request.invalid', { fields: { from: 'Please choose ten years at most.' } })
  const by = request.by ?? (days > 366 ? 'month' : days > 92 ? 'week' : 'day')
  const compare = request.compare ?? (isMonth(request) ? 'month' : 'days')
  const before = comparedRange({ from, to }, compare, days)
  const only = request.format ? sql`and p.format = ${request.format}` : sql``
  const [steps, earlier, by_format, known, by_code] = await Promise.all([
    readSteps(db, { from, to }, by, only),
    readSteps(db, before, by, only),
    readByFormat(db, { from, to }, only),
    readByCountry(db, { from, to }, only),
    readByCode(db, { from, to }, only),
  ])
  const total = sumOf(steps)
  return {
    time_zone,
    from,
    to,
    today,
    is_given_away: await isGivenAway(services),
    by,
    steps: steps.map((step, at) => Object.assign(step, { before: earlier[at]?.revenue ?? null })),
    by_format,
    by_country: [...known, ...unknownCountry(total, known)],
    by_code,
    total,
    before: { ...sumOf(earlier), ...before, compare, days },
  }
}

function requestedRange({ range, from, to }: ReportRequest, today: string): Range {
  const last = to ?? today
  if (from) return { from, to: last }
  const month = `${last.slice(0, 7)}-01`
  if (range === 'month') return { from: month, to: last }
  if (range === 'last_month') return { from: monthsBefore(month, 1), to: daysBefore(month, 1) }
  if (range === 'year') return { from: `${last.slice(0, 4)}-01-01`, to: last }
  return { from: daysBefore(last, Number(range) - 1), to: last }
}

function isMonth({ range, from }: ReportRequest): boolean {
  return !from && (range === 'month' || range === 'last_month')
}

function comparedRange({ from, to }: Range, compare: SalesReport['before']['compare'], days: number): Range {
  if (compare === 'days') return { from: daysBefore(from, days), to: daysBefore(from, 1) }
  const months = compare === 'month' ? 1 : 12
  // The day after each is moved: what ends a month stays its end.
  const earlier = (day: string) => daysBefore(monthsBefore(daysBefore(day, -1), months), 1)
  return { from: earlier(from), to: earlier(to) }
}

const sums = daySums('sold', 'free', 'tests', 'begun', 'paid', 'gross', 'refunded', 'revenue', 'link_tax')
const stepRow = salesReport.shape.steps.element.omit({ before: true })

/** PostgreSQL's weeks begin on Monday. A step that began before the range is still named by its first day. */
function readSteps(db: Db, { from, to }: Range, by: SalesReport['by'], only: SQL) {
  const query = sql`
    select step::date::text as day, ${sums}
    from generate_series(date_trunc(${by}, ${from}::date::timestamp), ${to}::date::timestamp, ${`1 ${by}`}::interval) step
    left join (
      select s.day, ${sums} from sales_day s join products p on p.id = s.product_id
      where s.day between ${from} and ${to} ${only} group by s.day
    ) s on date_trunc(${by}, s.day::timestamp) = step
    group by step order by step`
  return queryAll(db, stepRow, query)
}

function readByFormat(db: Db, { from, to }: Range, only: SQL) {
  const query = sql`
    select p.format, ${sums} from sales_day s join products p on p.id = s.product_id
    where s.day between ${from} and ${to} ${only} group by 1 order by revenue desc, 1`
  return queryAll(db, salesReport.shape.by_format.element, query)
}

const fewSums = daySums('sold', 'free', 'revenue')
const isAny = sql`sum(s.sold) <> 0 or sum(s.free) <> 0 or sum(s.revenue) <> 0`

function readByCountry(db: Db, { from, to }: Range, only: SQL) {
  const query = sql`
    select s.country, ${fewSums} from sales_day_by_country s join products p on p.id = s.product_id
    where s.day between ${from} and ${to} ${only} group by 1 having ${isAny} order by revenue desc, 1`
  return queryAll(db, salesReport.shape.by_country.element, query)
}

function unknownCountry(total: ReportSums, known: SalesReport['by_country']): SalesReport['by_country'] {
  const rest = {
    country: null,
    sold: total.sold - known.reduce((sum, { sold }) => sum + sold, 0),
    free: total.free - known.reduce((sum, { free }) => sum + free, 0),
    revenue: fromCents(toCents(total.revenue) - addCents(known.map(({ revenue }) => toCents(revenue)))),
  }
  return rest.sold || rest.free || rest.revenue ? [rest] : []
}

/** A code that has ended and another of the same name count together. */
function readByCode(db: Db, { from, to }: Range, only: SQL) {
  const query = sql`
    select c.code, ${fewSums} from sales_day_by_code s
      join products p on p.id = s.product_id join discount_codes c on c.id = s.code_id
    where s.day between ${from} and ${to} ${only} group by 1 having ${isAny} order by revenue desc, 1`
  return queryAll(db, salesReport.shape.by_code.element, query)
}

function sumOf(steps: readonly ReportSums[]): ReportSums {
  const count = (key: 'sold' | 'free' | 'tests' | 'begun' | 'paid') =>
    steps.reduce((sum, step) => sum + step[key], 0)
  const amount = (key: 'gross' | 'refunded' | 'revenue' | 'link_tax') =>
    fromCents(addCents(steps.map((step) => toCents(step[key]))))
  return {
    sold: count('sold'),
    free: count('free'),
    tests: count('tests'),
    begun: count('begun'),
    paid: count('paid'),
    gross: amount('gross'),
    refunded: amount('refunded'),
    revenue: amount('revenue'),
    link_tax: amount('link_tax'),
  }
}

function daysBefore(day: string, days: number): string {
  return toDay(Date.parse(day) - days * dayMs)
}

/** Returns the day after the month's last where it is shorter. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months]
  return toDay(Math.min(Date.UTC(year, month, date.getUTCDate()), Date.UTC(year, month + 1)))
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
