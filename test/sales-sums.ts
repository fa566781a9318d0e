// The sums of sales as the trigger keeps them, beside the same counted from the rows: they must be equal.
import type { Database } from '#server/db/client.ts'

export async function readSalesSums({ pool }: Pick<Database, 'pool'>) {
  const kept = await pool.query(`
    select day::text, format, sum(purchases) as purchases, sum(completed) as completed, sum(revenue) as revenue
    from sales_day group by day, format having sum(purchases) <> 0 order by day, format`)
  const counted = await pool.query(`
    select (p.created_at at time zone 'UTC')::date::text as day, format, count(*) as purchases,
      count(*) filter (where status = 'completed') as completed,
      coalesce(sum(amount) filter (where status = 'completed'), 0) as revenue
    from purchases p join products on products.id = p.product_id group by 1, 2 order by 1, 2`)
  return { kept: kept.rows, counted: counted.rows }
}
