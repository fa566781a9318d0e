// What a bundle holds, as parts of queries: its buyer has bought each part.
import { sql } from 'drizzle-orm'
import type { Format } from './contract/products.ts'
import { products } from './schema.ts'

export type Part = { product_id: string; name: string; format: Format }

/** Its parts, paper first, for the row of products around it; empty for what is no bundle. */
export const namedParts = sql<Part[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('product_id', part.id, 'name', part.name, 'format', part.format)
    order by array_position('{paperback,hardcover,digital}', part.format), part.name, part.id), '[]')
  from bundle_items i join products part on part.id = i.product_id
  where i.bundle_id = products.id and products.format = 'bundle')`

/** The ids of its parts, for the row of products around it; empty for what is no bundle. */
export const partsOf = sql<string[]>`(
  select coalesce(array_agg(i.product_id order by i.product_id), '{}')
  from bundle_items i where i.bundle_id = ${products.id} and ${products.format} = 'bundle')`

/** The formats of its parts, for the row of products around it; empty for what is no bundle. */
export const holds = sql<Format[]>`(
  select coalesce(array_agg(format order by array_position('{digital,paperback,hardcover}', format)), '{}')
  from (select distinct part.format from bundle_items i join products part on part.id = i.product_id
    where i.bundle_id = products.id and products.format = 'bundle') parts)`

/** Whether any of it goes by post, for the row of products around it: the same that makes its shipment once it is paid. */
export const ships = sql<boolean>`needs_shipping(${products})`
