// What was sold. Read from the sums that triggers keep, never from the purchases themselves: ten million cost what ten do.
import { desc, eq, sql, type SQL } from 'drizzle-orm'
import type { ChartRequest, Sales, SalesChart, SalesTotals, SoldPurchase } from '#contract/sales.ts'
import type { Db } from '../db/client.ts'
import { products, profiles, purchases } from '../db/schema/shop.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** The specification's number. */
const recentCount = 10
const longestDays = 3700

export async function readSales(db: Db): Promise<Sales> {
  const [totals, rows] = await Promise.all([
    readTotals(db),
    selectSold(db).orderBy(desc(purchases.created_at), desc(purchases.id)).limit(recentCount),
  ])
  return { totals, recent: rows.map(toSold) }
}

async function readTotals(db: Db): Promise<SalesTotals> {
  const { rows } = await db.execute<SalesTotals>(sql`
    select coalesce(sum(revenue), 0) as total_revenue, coalesce(sum(purchases), 0) as total_purchases,
      coalesce(sum(completed), 0) as completed_purchases,
      (select coalesce(sum(people), 0) from people_count) as total_users
    from sales_day`)
  return rows[0]!
}

/** Purchases with their buyers, as `toSold` makes them out. */
export function selectSold(db: Db) {
  return db
    .select({
      id: purchases.id,
      amount: purchases.amount,
      refunded: purchases.refunded,
      status: purchases.status,
      created_at: purchases.created_at,
      user_id: purchases.user_id,
      email: profiles.email,
      display_name: profiles.display_name,
      product: { id: products.id, name: products.name, format: products.format },
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
}

type SoldRow = Omit<SoldPurchase, 'created_at'> & { created_at: Date }

export function toSold({ created_at, ...row }: SoldRow): SoldPurchase {
  return { ...row, created_at: created_at.toISOString() }
}

/** Throws request.invalid when the range ends before it begins, or is longer than ten years. */
export async function readChart(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { from, to, by, format }: ChartRequest,
): Promise<SalesChart> {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
  if (days < 1) throw new Problem('request.invalid', { fields: { to: 'The range ends before it begins.' } })
  if (days > longestDays)
    throw new Problem('request.invalid', { fields: { from: 'Please choose ten years at most.' } })
  const before = { from: daysBefore(from, days), to: daysBefore(from, 1) }
  const only = format ? sql`and p.format = ${format}` : sql``
  const [steps, by_format, [earlier]] = await Promise.all([
    readSteps(db, { from, to, by }, only),
    readSums<{ format: SoldPurchase['product']['format'] }>(db, { from, to }, sql`p.format`, only),
    readSums(db, before, sql`true`, only),
  ])
  const total = { purchases: 0, completed: 0, revenue: 0 }
  for (const sums of by_format) {
    total.purchases += sums.purchases
    total.completed += sums.completed
    total.revenue = Math.round((total.revenue + sums.revenue) * 100) / 100
  }
  const { purchases: made, completed, revenue } = earlier ?? { purchases: 0, completed: 0, revenue: 0 }
  return {
    time_zone: config.timeZone,
    steps,
    by_format,
    total,
    before: { ...before, purchases: made, completed, revenue },
  }
}

type Range = { from: string; to: string }
type Sums = { purchases: number; completed: number; revenue: number }

/** PostgreSQL's weeks begin on Monday. A step that began before the range still is named by its first day. */
async function readSteps(
  db: Db,
  { from, to, by }: Range & Pick<ChartRequest, 'by'>,
  only: SQL,
): Promise<SalesChart['steps']> {
  const { rows } = await db.execute<Sums & { day: string }>(sql`
    select step::date::text as day, coalesce(sum(s.purchases), 0) as purchases,
      coalesce(sum(s.completed), 0) as completed, coalesce(sum(s.revenue), 0) as revenue
    from generate_series(date_trunc(${by}, ${from}::date::timestamp), ${to}::date::timestamp, ${`1 ${by}`}::interval) step
    left join (
      select date_trunc(${by}, s.day::timestamp) as step, s.purchases, s.completed, s.revenue
      from sales_day s join products p on p.id = s.product_id
      where s.day between ${from} and ${to} ${only}
    ) s using (step)
    group by step order by step`)
  return rows
}

async function readSums<Group = unknown>(db: Db, { from, to }: Range, group: SQL, only: SQL) {
  const { rows } = await db.execute<Sums & Group & Record<string, unknown>>(sql`
    select ${group} as format, sum(s.purchases) as purchases, sum(s.completed) as completed, sum(s.revenue) as revenue
    from sales_day s join products p on p.id = s.product_id
    where s.day between ${from} and ${to} ${only} group by 1 order by 4 desc`)
  return rows
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
}
