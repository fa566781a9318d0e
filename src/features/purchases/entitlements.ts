// What a purchase gives, said once: whoever hands out bytes or links asks here.
import { sql, type SQL } from 'drizzle-orm'
import { products } from '../products/schema.ts'

/**
 * Whether a purchase gives its buyer anything: completed, also when a part was given back, and not all of it asked back.
 * `purchase` names the row of purchases in the query around it.
 */
export function isEntitled(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(is_completed(${purchase}.status) and not exists (
    select from refund_requests r where r.purchase_id = ${purchase}.id and r.status = 'asked'
      and r.amount >= ${purchase}.amount - ${purchase}.refunded))`
}

/**
 * Files of the row of products around it as SQL, `nth` in the order to show them: the newest of each format, of each part
 * of a bundle and then of the bundle itself; of a part the main one first.
 */
export const newestFiles = sql`(
  select file.*, row_number() over (
    order by file.product_id = ${products.id}, file.price, file.product_id, file.is_main desc, file.file_format) as nth
  from (
    select distinct on (f.product_id, f.file_format) f.product_id, f.file_path, f.file_format, f.file_size, f.title,
      source.price, f.file_path is not distinct from source.file_path as is_main
    from product_files f join products source on source.id = f.product_id
    where source.is_digital and (f.product_id = ${products.id} or ${products.format} = 'bundle'
      and f.product_id in (select i.product_id from bundle_items i where i.bundle_id = ${products.id}))
    order by f.product_id, f.file_format, f.created_at desc, f.id desc
  ) file
)`
