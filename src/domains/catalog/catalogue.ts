// The products for sale, in memory: the same in every page and response until the catalogue changes.
import { fromCents, type Cents } from '#contract/money.ts'
import { asc, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Services } from '#platform/services.ts'
import { cached, type Cached } from '#platform/cached.ts'
import type { Db } from '#platform/db/client.ts'
import { fileFormat } from '#contract/catalog/file-formats.ts'
import type { Product, Release } from '#contract/catalog/products.ts'
import { asListed } from '#contract/catalog/sale-mode.ts'
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
} from './product-columns.ts'
import { currentSaleMode, type WithOwnBook } from './sale-mode.ts'
import { products } from '#tables/products.ts'

/** `json` is the same list, serialized once, in UTF-8: Node encodes a string anew for each response. */
type ProductList = { products: Product[]; json: Uint8Array<ArrayBuffer> }

export type Catalogue = Cached<ProductList> & {
  onDrop(listener: () => void): void
}

export type WithCatalogue = { catalogue: Catalogue }

type Needs = Pick<Services, 'db' | 'log' | 'settings'> & WithOwnBook

export function createCatalogue({ db, log, ...services }: Needs): Catalogue {
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

type Row = Omit<Product, 'price' | 'release'> & { price: Cents; release: Release | null }

function toProduct({ release, ...row }: Row): Product {
  return { ...row, price: fromCents(row.price), ...(release && { release }) }
}
