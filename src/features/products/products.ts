// What is for sale.
import { asc, sql } from 'drizzle-orm'
import type { Product } from './contract/products.ts'
import type { Db } from '#platform/db/client.ts'
import { products } from './schema.ts'
import { holds, partsOf, ships } from './bundle-contents.ts'
import { coverUrl } from './cover-url.ts'
import { isOnSale } from './delivery.ts'
import { newestFiles } from './newest-files.ts'

/** What may be bought, in the author's order, else the lowest price first; never the path of a stored file. */
export function listProducts(db: Db): Promise<Product[]> {
  return db
    .select({
      id: products.id,
      name: products.name,
      description: products.description,
      price: products.price,
      format: products.format,
      is_digital: products.is_digital,
      ships,
      cover_url: coverUrl,
      parts: partsOf,
      holds,
      file_formats: sql<Product['file_formats']>`array(
        select distinct files.file_format from ${newestFiles} files order by 1)`,
      contents: products.contents,
      bonuses: sql<string[]>`array(
        select distinct files.title from ${newestFiles} files
        where files.product_id = products.id and products.format = 'bundle' and exists (
          select from bundle_items i join products part on part.id = i.product_id
          where i.bundle_id = products.id and part.format = 'digital')
        order by 1)`,
    })
    .from(products)
    .where(isOnSale)
    .orderBy(sql`${products.position} asc nulls last`, asc(products.price), asc(products.id))
}
