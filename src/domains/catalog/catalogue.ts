// The products for sale, in memory: the same in every page and response until the catalogue changes.
import { sql, asc } from 'drizzle-orm'
import { z } from 'zod'
import {
  type Product,
  type Release,
  fileFormat,
  fileSizes,
  type FileSizes,
  asListed,
} from '#contract/catalog/products.ts'
import { products } from '#tables/catalog.ts'
import { fromCents, type Cents } from '#contract/money.ts'
import type { Services } from '#platform/services.ts'
import { cached, type Cached } from '#platform/cached.ts'
import type { Db } from '#platform/db/client.ts'
import {
  cover,
  coverUrl,
  holds,
  isOnSale,
  isSoldOut,
  newestFiles,
  partsOf,
  pendingRelease,
  ships,
} from './product-sql.ts'
import { type OwnBook, currentSaleMode } from './sale-mode.ts'

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

type ProductRow = Omit<Product, 'price' | 'release' | 'file_sizes'> & {
  price: Cents
  release: Release | null
  file_sizes: FileSizes | null
}

function toProduct({ release, file_sizes, ...row }: ProductRow): Product {
  return {
    ...row,
    price: fromCents(row.price),
    ...(file_sizes && { file_sizes }),
    ...(release && { release }),
  }
}

/** True where nothing that is for sale has a price. */
export async function isGivenAway({ catalogue }: { catalogue: Catalogue }): Promise<boolean> {
  const { products: listed } = await catalogue.get()
  return listed.length > 0 && listed.every(({ price }) => price === 0)
}
