// SQL of the sums of days, which triggers maintain: the cost of a figure grows with the days that it reads, not with the
// number of purchases.
import { sql, type SQL } from 'drizzle-orm'
import type { sales_day } from '#tables/sales-days.ts'

type Sum = Exclude<keyof typeof sales_day.$inferSelect, 'day' | 'product_id' | 'shard'>

/** Takes rows `s`; `isCounted` narrows them. `revenue` is what was sold on their days less what was refunded on them. */
export function daySum(name: Sum, isCounted?: SQL): SQL<number> {
  const only = isCounted ? sql` filter (where ${isCounted})` : sql``
  return sql<number>`coalesce(sum(s.${sql.identifier(name)})${only}, 0)`
}

/** Each under its own name. */
export function daySums(...names: Sum[]): SQL {
  return sql.join(
    names.map((name) => sql`${daySum(name)} as ${sql.identifier(name)}`),
    sql`, `,
  )
}
