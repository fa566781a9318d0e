import { sql, type SQL } from 'drizzle-orm'

/** Of the purchase `p`: paid with real money. */
export const isLiveSale = sql`(is_completed(p.status) and p.amount > 0 and exists (
  select from checkouts c where c.purchase_id = p.id and c.is_live))`

/** From this sale of a day on, the day is summed up on the next morning. */
export const maxSingleSales = 9

export const buyerOf = (purchase: SQL) => sql`(
  select jsonb_build_object('name', coalesce(u.display_name, ''), 'email', u.email)
  from profiles u where u.user_id = ${purchase}.user_id)`
