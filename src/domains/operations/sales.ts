// Read from the sums that triggers maintain: the cost does not grow with the number of purchases.
import { desc, sql } from 'drizzle-orm'
import { addCents, fromCents, toCents } from '#contract/money.ts'
import type { Db } from '#platform/db/client.ts'
import { dayIn } from '#platform/db/days.ts'
import { queryAll, queryOne } from '#platform/db/query.ts'
import type { Services } from '#platform/services.ts'
import { selectOrders, toOrder } from '#domains/payments/orders.ts'
import { purchases } from '#tables/purchases.ts'
import { salesChart, salesTotals, type Sales, type SalesChart } from '#contract/operations/sales.ts'

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
    select coalesce(sum(revenue), 0) as total_revenue, coalesce(sum(purchases), 0) as total_purchases,
      coalesce(sum(completed), 0) as completed_purchases,
      (select coalesce(sum(users), 0) from user_count) as total_users
    from sales_day`
  return queryOne(db, salesTotals, query)
}

export async function readChart({ db, settings, clock }: Services): Promise<SalesChart> {
  const today = dayIn(settings.get().shop.time_zone, clock())
  const query = sql`
    select day.day::date::text as day, coalesce(sum(purchases), 0) as purchases,
      coalesce(sum(completed), 0) as completed, coalesce(sum(revenue), 0) as revenue
    from generate_series(${today}::date - ${2 * chartDays - 1}::int, ${today}::date, interval '1 day') day
    left join sales_day s on s.day = day.day
    group by day.day order by day.day`
  const days = await queryAll(db, salesChart.shape.steps.element, query)
  const [earlier, steps] = [days.slice(0, chartDays), days.slice(chartDays)]
  const revenueOf = (summed: typeof days) =>
    fromCents(addCents(summed.map(({ revenue }) => toCents(revenue))))
  return {
    steps,
    total: { purchases: steps.reduce((sum, { purchases }) => sum + purchases, 0), revenue: revenueOf(steps) },
    before: { days: chartDays, revenue: revenueOf(earlier), steps: earlier.map(({ revenue }) => revenue) },
  }
}
