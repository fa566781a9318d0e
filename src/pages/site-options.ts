// What the site needs of the shop.
import type { PublishedBook } from '#features/book/published-book.ts'
import type { Product } from '#features/products/contract/products.ts'
import type { Log } from '#platform/log.ts'
import { paymentMode } from '#platform/stripe/payment-keys.ts'
import type { Settings } from '#platform/settings.ts'

export type SiteOptions = {
  settings: Pick<Settings, 'get'>
  log: Log
  listProducts: () => Promise<Product[]>
  readBook: () => Promise<PublishedBook>
}

/** Payments on test keys: every page then says that no real money is taken. */
export function runsOnTestKeys({ settings }: Pick<SiteOptions, 'settings'>): boolean {
  return paymentMode(settings) === 'test'
}
