// What is for sale.
import { asc, sql } from 'drizzle-orm'
import { z } from 'zod'
import { fileFormat } from './contract/file-formats.ts'
import type { Product } from './contract/products.ts'
import type { Db } from '#platform/db/client.ts'
import { products } from './schema.ts'
import { holds, isSoldOut, partsOf, ships } from './bundle-contents.ts'
import { cover, coverUrl } from './cover.ts'
import { isOnSale } from './delivery.ts'
import { newestFiles } from './newest-files.ts'

const fileFormats = z.array(fileFormat)
const titles = z.array(z.string())

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
      is_sold_out: isSoldOut,
      cover_url: coverUrl,
      cover,
      parts: partsOf,
      holds,
      file_formats: sql`array(
        select distinct files.file_format from ${newestFiles} files order by 1)`.mapWith((value) =>
        fileFormats.parse(value),
      ),
      contents: products.contents,
      bonuses: sql`array(
        select distinct files.title from ${newestFiles} files
        where files.product_id = products.id and products.format = 'bundle' and exists (
          select from bundle_items i join products part on part.id = i.product_id
          where i.bundle_id = products.id and part.format = 'digital')
        order by 1)`.mapWith((value) => titles.parse(value)),
    })
    .from(products)
    .where(isOnSale)
    .orderBy(sql`${products.position} asc nulls last`, asc(products.price), asc(products.id))
}
