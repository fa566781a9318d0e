// Read from the sums that triggers maintain: the cost does not grow with the number of purchases.
import { desc, sql, type SQL } from 'drizzle-orm'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { addCents, fromCents, toCents } from '#platform/contract/money.ts'
import type { Db } from '#platform/db/client.ts'
import { dayIn } from '#platform/db/days.ts'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { selectOrders, toOrder } from '../orders/orders.ts'
import { purchases } from '../purchases/schema.ts'
import { salesChart, salesTotals, type ChartRequest, type Sales, type SalesChart } from './contract/sales.ts'

const recentCount = 10
const maxDays = 3700
const dayMs = 86_400_000

export async function readSales(db: Db): Promise<Sales> {
  const [totals, rows] = await Promise.all([
    readTotals(db),
    selectOrders(db).orderBy(desc(purchases.created_at), desc(purchases.id)).limit(recentCount),
  ])
  return { totals, recent: rows.map(toOrder) }
}

function readTotals(db: Db) {
  const query = sql`
    select coalesce(sum(revenue), 0) as total_revenue, coalesce(sum(purchases), 0) as total_purchases,
      coalesce(sum(completed), 0) as completed_purchases,
      (select coalesce(sum(users), 0) from user_count) as total_users
    from sales_day`
  return queryOne(db, salesTotals, query)
}

type Range = { from: string; to: string }

export async function readChart(services: Services, request: ChartRequest): Promise<SalesChart> {
  const { db, settings, clock } = services
  const { time_zone } = settings.get().shop
  const { from, to } = requestedRange(request, dayIn(time_zone, clock()))
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw new Problem('request.invalid', { fields: { to: 'The range ends before it begins.' } })
  if (days > maxDays)
    throw new Problem('request.invalid', { fields: { from: 'Please choose ten years at most.' } })
  const by = request.by ?? (days > 366 ? 'month' : days > 92 ? 'week' : 'day')
  const before = { from: daysBefore(from, days), to: daysBefore(from, 1) }
  const only = request.format ? sql`and p.format = ${request.format}` : sql``
  const [steps, by_format, earlier] = await Promise.all([
    readSteps(db, { from, to }, by, only),
    readByFormat(db, { from, to }, only),
    readSteps(db, before, by, only),
  ])
  return {
    time_zone,
    from,
    to,
    by,
    steps,
    by_format,
    total: sumOf(steps),
    before: { ...sumOf(earlier), days, steps: earlier.map(({ revenue }) => revenue) },
  }
}

function requestedRange({ range, from, to }: ChartRequest, today: string): Range {
  const last = to ?? today
  if (from) return { from, to: last }
  if (range === 'year') return { from: `${last.slice(0, 4)}-01-01`, to: last }
  return { from: daysBefore(last, Number(range) - 1), to: last }
}

/** PostgreSQL's weeks begin on Monday. A step that began before the range is still named by its first day. */
function readSteps(db: Db, { from, to }: Range, by: SalesChart['by'], only: SQL) {
  const query = sql`
    select step::date::text as day, coalesce(sum(s.purchases), 0) as purchases,
      coalesce(sum(s.completed), 0) as completed, coalesce(sum(s.revenue), 0) as revenue
    from generate_series(date_trunc(${by}, ${from}::date::timestamp), ${to}::date::timestamp, ${`1 ${by}`}::interval) step
    left join (
      select date_trunc(${by}, s.day::timestamp) as step, s.purchases, s.completed, s.revenue
      from sales_day s join products p on p.id = s.product_id
      where s.day between ${from} and ${to} ${only}
    ) s using (step)
    group by step order by step`
  return queryAll(db, salesChart.shape.steps.element, query)
}

function readByFormat(db: Db, { from, to }: Range, only: SQL) {
  const query = sql`
    select p.format, sum(s.purchases) as purchases, sum(s.completed) as completed, sum(s.revenue) as revenue
    from sales_day s join products p on p.id = s.product_id
    where s.day between ${from} and ${to} ${only} group by 1 order by 4 desc, 1`
  return queryAll(db, salesChart.shape.by_format.element, query)
}

function sumOf(steps: SalesChart['steps']) {
  return {
    purchases: steps.reduce((sum, step) => sum + step.purchases, 0),
    completed: steps.reduce((sum, step) => sum + step.completed, 0),
    revenue: fromCents(addCents(steps.map(({ revenue }) => toCents(revenue)))),
  }
}

function daysBefore(day: string, days: number) {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
}
