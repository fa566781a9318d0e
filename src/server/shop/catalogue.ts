// The product list, kept in memory: the same in every page and answer until the catalogue changes.
import type { Product } from '#contract/products.ts'
import { keep, type Kept } from '../kept.ts'
import type { Services } from '../services.ts'
import { listProducts } from './products.ts'

/** `json` is the same list, written once for all who ask. */
export type Catalogue = Kept<{ products: Product[]; json: string }>

export function createCatalogue({ db, log }: Pick<Services, 'db' | 'log'>): Catalogue {
  return keep(
    async () => {
      const products = await listProducts(db)
      return { products, json: JSON.stringify(products) }
    },
    (error) => log.warn({ err: error }, 'the products could not be read; the last known ones are shown'),
  )
}
