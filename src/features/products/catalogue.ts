// The product list in memory: the same in every page and response until the catalogue changes.
import type { Product } from './contract/products.ts'
import { cached, type Cached } from '#platform/cached.ts'
import type { Services } from '../../services.ts'
import { asListed } from './contract/as-listed.ts'
import { currentSaleMode, type WithOwnBook } from './sale-mode.ts'
import { listProducts } from './products.ts'

/** `json` is the same list, serialized once, in UTF-8: Node encodes a string anew for each response. */
type ProductList = { products: Product[]; json: Uint8Array<ArrayBuffer> }

export type Catalogue = Cached<ProductList> & {
  /** Called whenever the list is dropped, so that what was made of it goes, too. */
  onDrop(listener: () => void): void
}

export type WithCatalogue = { catalogue: Catalogue }

type Needs = Pick<Services, 'db' | 'log' | 'settings'> & WithOwnBook

export function createCatalogue({ db, log, ...services }: Needs): Catalogue {
  const listeners = new Set<() => void>()
  const list = cached<ProductList>(
    async (read) => {
      const [listed, mode] = await Promise.all([read(listProducts(db)), read(currentSaleMode(services))])
      const products = listed.map((product) => asListed(product, mode))
      return { products, json: Buffer.from(JSON.stringify(products)) }
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
