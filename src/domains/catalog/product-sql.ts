// SQL expressions for the row of `products` in the query around them.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Picture } from '#contract/files/pictures.ts'
import { deliveryGap as deliveryGapName, format, release } from '#contract/catalog/products.ts'
import { products } from '#tables/catalog.ts'
import type { Transaction } from '#platform/db/client.ts'

const namedPartList = z.array(z.object({ product_id: z.string(), name: z.string(), format }))

/** The parts of a bundle, paper first; empty for other products, as are `partsOf` and `holds`. */
export const namedParts = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('product_id', part.id, 'name', part.name, 'format', part.format)
    order by array_position('{paperback,hardcover,digital}', part.format), part.name, part.id), '[]')
  from bundle_items i join products part on part.id = i.product_id
  where i.bundle_id = products.id and products.format = 'bundle')`.mapWith((value) =>
  namedPartList.parse(value),
)

export const partsOf = sql`(
  select coalesce(array_agg(i.product_id order by i.product_id), '{}')
  from bundle_items i where i.bundle_id = ${products.id} and ${products.format} = 'bundle')`.mapWith(
  (value) => z.array(z.string()).parse(value),
)

export const holds = sql`(
  select coalesce(array_agg(format order by array_position('{digital,paperback,hardcover}', format)), '{}')
  from (select distinct part.format from bundle_items i join products part on part.id = i.product_id
    where i.bundle_id = products.id and products.format = 'bundle') parts)`.mapWith((value) =>
  z.array(format).parse(value),
)

export const ships = sql<boolean>`needs_shipping(${products})`

export const isSoldOut = sql<boolean>`is_sold_out(${products})`

export const deliveryGap = sql`delivery_gap(${products})`.mapWith((value) =>
  deliveryGapName.nullable().parse(value),
)

/** What it would lack without a day of release. */
export const releaseGap = sql`delivery_gap(jsonb_populate_record(${products}, '{"release_on": null}'))`

/** A product that cannot be delivered is not for sale, whatever the author has chosen. */
export const isOnSale = sql<boolean>`(${products.is_for_sale} and delivery_gap(${products}) is null)`

/** It, or a part of it, is not out yet; null else. */
export const pendingRelease = sql`pending_release(${products})`.mapWith((value) =>
  release.nullable().parse(value),
)

export const isReleased = sql<boolean>`is_released(${products})`

export const coverUrl = sql<string | null>`'/pictures/' || products.cover_id || '/640.webp'`

export const cover = sql<Picture | null>`(
  select jsonb_build_object('id', pictures.id, 'width', pictures.width, 'height', pictures.height)
  from pictures where pictures.id = products.cover_id)`

/** Takes a row of product_files `f` and a row of products: the file is the product's, or of a part of the bundle. */
export const isOfProduct = sql`(f.product_id = ${products.id} or ${products.format} = 'bundle'
  and f.product_id in (select i.product_id from bundle_items i where i.bundle_id = ${products.id}))`

/** It gives something to download: a file, one of a part of the bundle, or what is stored elsewhere. */
export const hasFile = sql<boolean>`(${products.download_url} is not null
  or exists (select from product_files f where ${isOfProduct}))`

/** The newest file of each format, `nth` in the order to show them: parts of a bundle come before its own files. */
export const newestFiles = sql`(
  select file.*, row_number() over (
    order by file.product_id = ${products.id}, file.price, file.product_id, file.is_main desc, file.file_format) as nth
  from (
    select distinct on (f.product_id, f.file_format) f.product_id, f.file_path, f.file_format, f.file_size, f.title, f.edition, f.lost_at is not null as is_lost,
      source.price, f.file_path is not distinct from source.file_path as is_main
    from product_files f join products source on source.id = f.product_id
    where source.is_digital and is_released(source) and is_released(${products}) and ${isOfProduct}
    order by f.product_id, f.file_format, f.created_at desc, f.id desc
  ) file
)`

export const isNewestEdition = (file: SQL) => sql`not exists (
  select from product_files newer where newer.product_id = ${file}.product_id
    and newer.file_format = ${file}.file_format
    and (newer.created_at, newer.id) > (${file}.created_at, ${file}.id))`

/** One change at a time to products and their parts, so that each sees the ones before. */
export async function lockCatalogue(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern catalogue'))`)
}
