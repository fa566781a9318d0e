import { sql, type SQL } from 'drizzle-orm'
import { isEntitled } from './entitlements.ts'

/** For a purchase `p`: it gives the product, alone or in a bundle. */
export const givesProduct = (product_id: SQL): SQL => sql`(p.product_id = ${product_id}
  or p.product_id in (select i.bundle_id from bundle_items i where i.product_id = ${product_id}))`

/** The readers who have a product, each once. */
export const ownersOf = (product_id: SQL): SQL => sql`(
  select distinct p.user_id from purchases p
  where p.user_id is not null and ${givesProduct(product_id)} and ${isEntitled(sql`p`)})`

export const countOrdered = (product_id: SQL): SQL =>
  sql`(select count(*) from ${ownersOf(product_id)} owners)`
