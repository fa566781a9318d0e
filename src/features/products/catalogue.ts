// The product list, kept in memory: the same in every page and answer until the catalogue changes.
import type { Product } from './contract/products.ts'
import { keep, type Kept } from '#platform/cached.ts'
import type { Services } from '../../services.ts'
import { listProducts } from './products.ts'

/** `json` is the same list, written once for all who ask. */
export type Catalogue = Kept<{ products: Product[]; json: string }> & {
  /** Called whenever the list is dropped, so that what was made of it goes, too. */
  onDrop(listener: () => void): void
}

export type WithCatalogue = { catalogue: Catalogue }

export function createCatalogue({ db, log }: Pick<Services, 'db' | 'log'>): Catalogue {
  const listeners = new Set<() => void>()
  const kept = keep(
    async () => {
      const products = await listProducts(db)
      return { products, json: JSON.stringify(products) }
    },
    (error) => log.warn({ err: error }, 'the products could not be read; the last known ones are shown'),
  )
  return {
    get: () => kept.get(),
    drop() {
      kept.drop()
      for (const listener of listeners) listener()
    },
    onDrop: (listener) => void listeners.add(listener),
  }
}
