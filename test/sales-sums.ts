// The sums as the triggers keep them, beside the same counted from the rows: they must be equal.
import type { Database } from '#platform/db/client.ts'

/** Of each day and product; days on which all came to nothing are left out. */
const kept = `
  select day::text, product_id, sum(purchases) as purchases, sum(completed) as completed, sum(revenue) as revenue
  from sales_day group by day, product_id having sum(purchases) <> 0 or sum(revenue) <> 0 order by day, product_id`

const counted = `
  with parts as (
    select shop_day(created_at) as day, product_id, case when status = 'canceled' then 0 else 1 end as purchases,
      case when status in ('completed', 'partially_refunded') then 1 else 0 end as completed,
      case when status in ('completed', 'partially_refunded') then amount
        when status = 'disputed' and refunded > 0 then amount when status = 'refunded' then refunded
        else 0 end as revenue
    from purchases
    union all
    select shop_day(a.created_at), product_id, 0, 0, a.amount from adjustments a join purchases p on p.id = purchase_id
  )
  select day::text, product_id, sum(purchases) as purchases, sum(completed) as completed, sum(revenue) as revenue
  from parts group by day, product_id having sum(purchases) <> 0 or sum(revenue) <> 0 order by day, product_id`

const wrongUsers = `
  select user_id from profiles left join user_sums sums using (user_id) left join lateral (
    select count(*) as purchases, max(created_at) as last,
      coalesce(sum(amount - refunded) filter (
        where status in ('completed', 'partially_refunded') or (status = 'disputed' and refunded > 0)), 0) as spent
    from purchases where purchases.user_id = profiles.user_id and status <> 'canceled'
  ) rows on true
  where (sums.total_purchases, sums.total_spent, sums.last_purchase)
    is distinct from (rows.purchases::integer, rows.spent, rows.last)`

export async function readSums({ pool }: Pick<Database, 'pool'>) {
  const people = await pool.query<{ kept: number; counted: number }>(`
    select (select coalesce(sum(users), 0) from user_count) as kept, (select count(*) from profiles) as counted`)
  return {
    kept: (await pool.query(kept)).rows,
    counted: (await pool.query(counted)).rows,
    /** Ids of the people whose own sums are not what their purchases come to. */
    wrongUsers: (await pool.query<{ user_id: string }>(wrongUsers)).rows.map(({ user_id }) => user_id),
    people: people.rows[0]!,
  }
}
