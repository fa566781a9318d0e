// What is for sale.
import { asc, eq, sql } from 'drizzle-orm'
import type { Product } from '#contract/products.ts'
import type { Db } from '../db/client.ts'
import { products } from '../db/schema/shop.ts'
import { holds, partsOf, ships } from './bundles.ts'
import { coverUrl } from './covers.ts'

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
    })
    .from(products)
    .where(eq(products.is_for_sale, true))
    .orderBy(sql`${products.position} asc nulls last`, asc(products.price), asc(products.id))
}
