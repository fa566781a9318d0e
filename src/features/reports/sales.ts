// What was sold. Read from the sums that triggers maintain: the cost does not grow with the number of purchases.
import { selectOrders, toOrder } from '../orders/select-orders.ts'
import { dayIn } from '#platform/db/days.ts'
import { desc, sql, type SQL } from 'drizzle-orm'
import {
  salesChart,
  salesTotals,
  type ChartRequest,
  type ChartStep,
  type Sales,
  type SalesChart,
  type SalesTotals,
  type Sums,
} from './contract/sales.ts'
import { addMoney } from '#platform/contract/money.ts'
import type { Db } from '#platform/db/client.ts'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'

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

function readTotals(db: Db): Promise<SalesTotals> {
  const query = sql`
    select coalesce(sum(revenue), 0) as total_revenue, coalesce(sum(purchases), 0) as total_purchases,
      coalesce(sum(completed), 0) as completed_purchases,
      (select coalesce(sum(users), 0) from user_count) as total_users
    from sales_day`
  return queryOne(db, salesTotals, query)
}

type Range = { from: string; to: string }

/** Throws request.invalid when the range ends before it begins, or is longer than ten years. */
export async function readChart(
  { db, settings, clock }: Pick<Services, 'db' | 'settings' | 'clock'>,
  request: ChartRequest,
): Promise<SalesChart> {
  const { time_zone } = settings.get().shop
  const today = dayIn(time_zone, clock())
  const { from, to } = askedRange(request, today)
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

function askedRange({ range, from, to }: ChartRequest, today: string): Range {
  const last = to ?? today
  if (from) return { from, to: last }
  if (range === 'year') return { from: `${last.slice(0, 4)}-01-01`, to: last }
  return { from: daysBefore(last, Number(range) - 1), to: last }
}

/** PostgreSQL's weeks begin on Monday. A step that began before the range still is named by its first day. */
function readSteps(db: Db, { from, to }: Range, by: ChartStep, only: SQL): Promise<SalesChart['steps']> {
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

function readByFormat(db: Db, { from, to }: Range, only: SQL): Promise<SalesChart['by_format']> {
  const query = sql`
    select p.format, sum(s.purchases) as purchases, sum(s.completed) as completed, sum(s.revenue) as revenue
    from sales_day s join products p on p.id = s.product_id
    where s.day between ${from} and ${to} ${only} group by 1 order by 4 desc, 1`
  return queryAll(db, salesChart.shape.by_format.element, query)
}

function sumOf(parts: readonly Sums[]): Sums {
  const add = (part: (sums: Sums) => number) => parts.reduce((sum, each) => sum + part(each), 0)
  return {
    purchases: add(({ purchases: made }) => made),
    completed: add(({ completed }) => completed),
    revenue: addMoney(parts.map(({ revenue }) => revenue)),
  }
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
}
