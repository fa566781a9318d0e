import type { PublishedBook } from '#features/book/published-book.ts'
import { saleModeOf } from '#features/products/sale-mode.ts'
import { readShippingTerms } from '#features/shipping/address.ts'
import { shippingRange } from '#features/shipping/contract/shipping-price.ts'
import type { Product } from '#features/products/contract/products.ts'
import type { Log } from '#platform/log.ts'
import { paymentMode } from '#platform/stripe/payment-keys.ts'
import type { Settings } from '#platform/settings.ts'
import type { BookWork } from './book-work.ts'
import type { ShopFacts } from './render.ts'

export type SiteData = { products: Product[] | undefined; book: PublishedBook }

export type SiteOptions = {
  settings: Pick<Settings, 'get'>
  log: Log
  listProducts: () => Promise<Product[]>
  readBook: () => Promise<PublishedBook>
  /** The last values, while the database does not respond. */
  lastData: () => Promise<SiteData>
  bookReader: Pick<BookWork, 'renderContent' | 'renderHtml'>
  sendsMail: () => boolean
}

export function readFacts(
  { settings, sendsMail }: Pick<SiteOptions, 'settings' | 'sendsMail'>,
  { is_own }: PublishedBook,
): ShopFacts {
  const { shop } = settings.get()
  const mode = saleModeOf({ settings }, is_own)
  return {
    saleMode: mode,
    isTestMode: paymentMode(settings) === 'test',
    sendsMail: sendsMail(),
    currency: shop.currency,
    shipping: shippingRange(readShippingTerms({ settings }, mode)),
  }
}
