// The products for sale, in memory: the same in every page and response until the catalogue changes.
import { sql, type SQL, asc } from 'drizzle-orm'
import { z } from 'zod'
import type { Picture } from '#contract/files/pictures.ts'
import {
  deliveryGap as deliveryGapName,
  format,
  release,
  type Product,
  type Release,
  fileFormat,
  fileSizes,
  type FileSizes,
  asListed,
  withoutKey,
  type SaleMode,
} from '#contract/catalog/products.ts'
import { products } from '#tables/catalog.ts'
import { fromCents, type Cents, isPayable, withoutDecimals } from '#contract/money.ts'
import type { Services } from '#platform/services.ts'
import { cached, type Cached } from '#platform/cached.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { sampleBook } from '#content/sample-book.ts'
import type { SettingValues } from '../../config.ts'
import { queryOne } from '#platform/db/query.ts'
import type { Settings } from '#platform/settings.ts'
import { addFields } from '#platform/stored-settings.ts'
import { paymentMode } from '#platform/stripe/payments.ts'
import { lawfulCountries } from '#contract/orders/countries.ts'
import { platformProblem } from '#platform/problem.ts'

// SQL for the row of `products` in the query around it.

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

const holds = sql`(
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

/** What cannot be delivered is not for sale, whatever the author has chosen. */
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

/** For a file `f`: also of a part, where the product is a bundle. */
/** Of a row of product_files `f` and a row of products: it is the product's, or of a part of the bundle. */
export const isOfProduct = sql`(f.product_id = ${products.id} or ${products.format} = 'bundle'
  and f.product_id in (select i.product_id from bundle_items i where i.bundle_id = ${products.id}))`

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

/** `json` is the same list, serialized once, in UTF-8: Node encodes a string anew for each response. */
type ProductList = { products: Product[]; json: Uint8Array<ArrayBuffer> }

export type Catalogue = Cached<ProductList> & {
  onDrop(listener: () => void): void
}

type Dependencies = Pick<Services, 'db' | 'log' | 'settings'> & OwnBook

export function createCatalogue({ db, log, ...services }: Dependencies): Catalogue {
  const listeners = new Set<() => void>()
  const list = cached<ProductList>(
    async (read) => {
      const [listed, mode] = await Promise.all([read(listProducts(db)), read(currentSaleMode(services))])
      const shown = listed.map((product) => asListed(product, mode))
      return { products: shown, json: Buffer.from(JSON.stringify(shown)) }
    },
    (error) => log.warn({ err: error }, 'the products could not be read; the last known ones are shown'),
  )
  const notify = () => listeners.forEach((listener) => listener())
  return {
    ...list,
    drop() {
      list.drop()
      notify()
    },
    async refresh() {
      const refreshed = list.refresh()
      notify()
      await refreshed
    },
    onDrop: (listener) => void listeners.add(listener),
  }
}

/** A bundle's own files come on top of the book: in what formats it is says the book's alone. */
const isBonus = sql`(files.product_id = products.id and products.format = 'bundle' and exists (
  select from bundle_items i join products part on part.id = i.product_id
  where i.bundle_id = products.id and part.format = 'digital'))`

async function listProducts(db: Db): Promise<Product[]> {
  const { id, name, description, price, format, is_digital, contents, position } = products
  const rows = await db
    .select({
      id,
      name,
      description,
      price,
      format,
      is_digital,
      ships,
      is_sold_out: isSoldOut,
      release: pendingRelease,
      cover_url: coverUrl,
      cover,
      parts: partsOf,
      holds,
      file_formats: sql`array(
        select distinct files.file_format from ${newestFiles} files where not ${isBonus} order by 1)`.mapWith(
        (value) => z.array(fileFormat).parse(value),
      ),
      file_sizes: sql`(
        select jsonb_object_agg(files.file_format, files.file_size) from ${newestFiles} files
        where files.file_size is not null and files.product_id = products.id)`.mapWith((value) =>
        fileSizes.nullable().parse(value),
      ),
      contents,
      bonuses: sql`array(
        select distinct files.title from ${newestFiles} files where ${isBonus} order by 1)`.mapWith((value) =>
        z.array(z.string()).parse(value),
      ),
    })
    .from(products)
    .where(isOnSale)
    .orderBy(sql`${position} asc nulls last`, asc(price), asc(id))
  return rows.map(toProduct)
}

type Row = Omit<Product, 'price' | 'release' | 'file_sizes'> & {
  price: Cents
  release: Release | null
  file_sizes: FileSizes | null
}

function toProduct({ release, file_sizes, ...row }: Row): Product {
  return {
    ...row,
    price: fromCents(row.price),
    ...(file_sizes && { file_sizes }),
    ...(release && { release }),
  }
}

// How the shop sells: by payments, as the sample, for free, or not at all. A shop that ever had a key of the payment
// provider sells nothing without one, so that a lost variable gives no book away.

/** The setup was finished, or a book with its own title is published. */
export const isOwnBook = sql<boolean>`(exists (select from book_setup where step = 'done') or coalesce((
  select document ->> 'title' <> ${sampleBook.title} from book_versions order by number desc limit 1), false))`

export type KeylessFacts = Pick<SettingValues['payments'], 'had_key' | 'without_key'> & { is_own: boolean }

export function keylessMode({ had_key, without_key, is_own }: KeylessFacts): SaleMode {
  if (had_key) return 'key_missing'
  return is_own ? without_key : 'sample'
}

export type OwnBook = { book: { get(): { is_own: boolean } | Promise<{ is_own: boolean }> } }
type SaleDependencies = Pick<Services, 'settings'> & OwnBook

export function saleModeOf({ settings }: { settings: Pick<Settings, 'get'> }, is_own: boolean): SaleMode {
  if (paymentMode(settings) !== 'none') return 'paid'
  return keylessMode({ ...settings.get().payments, is_own })
}

export async function currentSaleMode({ book, settings }: SaleDependencies): Promise<SaleMode> {
  return saleModeOf({ settings }, (await book.get()).is_own)
}

/** From memory, which may lack what another process has just saved. */
export async function cachedKeylessFacts({ book, settings }: SaleDependencies): Promise<KeylessFacts> {
  const { had_key, without_key } = settings.get().payments
  return { had_key, without_key, is_own: (await book.get()).is_own }
}

const savedField = (name: string) =>
  sql`(select fields ->> ${name}::text from settings where name = 'payments')`
const hadKey = sql`coalesce(${savedField('had_key')} = 'true', false)`
const savedWithoutKey = sql`coalesce(${savedField('without_key')}, 'not_for_sale')`

export function isModeCurrent({ had_key, without_key, is_own }: KeylessFacts): SQL {
  return sql`(${hadKey} = ${had_key} and ${savedWithoutKey} = ${without_key} and ${isOwnBook} = ${is_own})`
}

const keylessFacts = z.object({
  had_key: z.boolean(),
  without_key: withoutKey.catch('not_for_sale'),
  is_own: z.boolean(),
})

export function readKeylessFacts(tx: Transaction): Promise<KeylessFacts> {
  const query = sql`select ${hadKey} as had_key, ${savedWithoutKey} as without_key, ${isOwnBook} as is_own`
  return queryOne(tx, keylessFacts, query)
}

/** At the start, before anything is sold: the key may be in the environment alone, or an older version have lost it. */
export async function saveHadKey({ db, settings }: Services): Promise<void> {
  if (settings.get().payments.had_key) return
  const hadKey = paymentMode(settings) !== 'none' || (await hasCheckouts(db))
  if (!hadKey) return
  await addFields(db, 'payments', { had_key: true })
  await settings.refresh()
}

async function hasCheckouts(db: Db): Promise<boolean> {
  const query = sql`select exists (select from checkouts) as has_checkouts`
  return (await queryOne(db, z.object({ has_checkouts: z.boolean() }), query)).has_checkouts
}

/** Whether the law can give buyers of this shop a right of withdrawal. A file may be bought from anywhere. */
export function offersWithdrawal(
  { settings }: { settings: Pick<Settings, 'get'> },
  mode: SaleMode,
  products: readonly Product[] | undefined,
): boolean {
  if (mode !== 'paid' && mode !== 'key_missing') return false
  const { countries } = settings.get().shipping
  // Where nothing is for sale any more, what was sold is not known here.
  const sellsFiles = !products?.length || products.some(({ is_digital }) => is_digital)
  return sellsFiles || countries.some((country) => lawfulCountries.includes(country))
}

export function requirePayable(field: string, amount: Cents, currency: string): void {
  if (isPayable(amount, currency)) return
  throw platformProblem('request.invalid', { fields: { [field]: withoutDecimals(currency) } })
}
