// What the site needs of the shop.
import type { PublishedBook } from '#features/book/published-book.ts'
import type { Product } from '#features/products/contract/products.ts'
import type { Log } from '#platform/log.ts'
import type { Settings } from '#platform/settings.ts'
import type { Config } from '../config.ts'

export type SiteOptions = {
  config: Pick<Config, 'payments'>
  settings: Pick<Settings, 'get'>
  log: Log
  listProducts: () => Promise<Product[]>
  readBook: () => Promise<PublishedBook>
}

/** Payments on test keys: every page then says that no real money is taken. */
export function runsOnTestKeys({ payments }: SiteOptions['config']): boolean {
  return payments?.isLive === false
}
