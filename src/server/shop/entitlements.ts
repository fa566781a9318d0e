// What a purchase gives, said once: whoever hands out bytes or links asks here.
import { sql, type SQL } from 'drizzle-orm'
import { products } from '../db/schema/shop.ts'

/**
 * Whether a purchase gives its buyer anything: completed, also when a part was given back, and not all of it asked back.
 * `purchase` names the row of purchases in the query around it.
 */
export function isEntitled(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(is_completed(${purchase}.status) and not exists (
    select from refund_requests r where r.purchase_id = ${purchase}.id and r.status = 'asked'
      and r.amount >= ${purchase}.amount - ${purchase}.refunded))`
}

/** Files of a product as SQL: the newest of each format, its own before those of a bundle's parts, the main one first. */
export const newestFiles = sql`(
  select distinct on (f.file_format) f.file_path, f.file_format, f.title, f.file_path = ${products.file_path} as is_main
  from product_files f
  where f.product_id = ${products.id} or ${products.format} = 'bundle'
    and f.product_id in (select i.product_id from bundle_items i where i.bundle_id = ${products.id})
  order by f.file_format, f.product_id = ${products.id} desc, f.created_at desc, f.id desc
)`
