// The product list, kept in memory: the same in every page and answer until the catalogue changes.
import type { Product } from '#contract/products.ts'
import { keep, type Kept } from '../kept.ts'
import type { Services } from '../services.ts'
import { listProducts } from './products.ts'

export type Catalogue = Kept<Product[]>

export function createCatalogue({ db, log }: Pick<Services, 'db' | 'log'>): Catalogue {
  return keep(
    () => listProducts(db),
    (error) => log.warn({ err: error }, 'the products could not be read; the last known ones are shown'),
  )
}
