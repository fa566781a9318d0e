// The files that belong to a product now.
import { sql, type SQL } from 'drizzle-orm'
import { products } from './schema.ts'

/**
 * Files of the row of products around it as SQL, `nth` in the order to show them: the newest of each format, of each part
 * of a bundle and then of the bundle itself; of a part the main one first.
 */
export const newestFiles = sql`(
  select file.*, row_number() over (
    order by file.product_id = ${products.id}, file.price, file.product_id, file.is_main desc, file.file_format) as nth
  from (
    select distinct on (f.product_id, f.file_format) f.product_id, f.file_path, f.file_format, f.file_size, f.title, f.lost_at is not null as is_lost,
      source.price, f.file_path is not distinct from source.file_path as is_main
    from product_files f join products source on source.id = f.product_id
    where source.is_digital and (f.product_id = ${products.id} or ${products.format} = 'bundle'
      and f.product_id in (select i.product_id from bundle_items i where i.bundle_id = ${products.id}))
    order by f.product_id, f.file_format, f.created_at desc, f.id desc
  ) file
)`

/** Whether the row `file` of product_files is the newest of its product and format. */
export const isNewestEdition = (file: SQL) => sql`not exists (
  select from product_files newer where newer.product_id = ${file}.product_id
    and newer.file_format = ${file}.file_format
    and (newer.created_at, newer.id) > (${file}.created_at, ${file}.id))`
