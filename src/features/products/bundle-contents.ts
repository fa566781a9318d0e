// What a bundle holds, as parts of queries: its buyer has bought each part.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { format } from './contract/products.ts'
import { products } from './schema.ts'

const parts = z.array(z.object({ product_id: z.string(), name: z.string(), format }))
const ids = z.array(z.string())
const formats = z.array(format)

/** Its parts, paper first, for the row of products around it; empty for what is no bundle. */
export const namedParts = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('product_id', part.id, 'name', part.name, 'format', part.format)
    order by array_position('{paperback,hardcover,digital}', part.format), part.name, part.id), '[]')
  from bundle_items i join products part on part.id = i.product_id
  where i.bundle_id = products.id and products.format = 'bundle')`.mapWith((value) => parts.parse(value))

/** The ids of its parts, for the row of products around it; empty for what is no bundle. */
export const partsOf = sql`(
  select coalesce(array_agg(i.product_id order by i.product_id), '{}')
  from bundle_items i where i.bundle_id = ${products.id} and ${products.format} = 'bundle')`.mapWith(
  (value) => ids.parse(value),
)

/** The formats of its parts, for the row of products around it; empty for what is no bundle. */
export const holds = sql`(
  select coalesce(array_agg(format order by array_position('{digital,paperback,hardcover}', format)), '{}')
  from (select distinct part.format from bundle_items i join products part on part.id = i.product_id
    where i.bundle_id = products.id and products.format = 'bundle') parts)`.mapWith((value) =>
  formats.parse(value),
)

/** Whether any of it goes by post, for the row of products around it: the same that makes its shipment once it is paid. */
export const ships = sql<boolean>`needs_shipping(${products})`

/** Whether no copy is left of it, or of a part of it, for the row of products around it. */
export const isSoldOut = sql<boolean>`is_sold_out(${products})`
