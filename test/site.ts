// The built site by itself, with a product list that a test fills and breaks. Needs the build.
import { Hono } from 'hono'
import { sampleBook } from '#content/sample-book.ts'
import { publishedBook, type PublishedBook } from '#domains/book/published-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { TaxInPrices } from '#contract/orders/prices.ts'
import type { Seller } from '#contract/orders/seller.ts'
import { defaultSettings } from '#platform/stored-settings.ts'
import { once } from '#platform/cached.ts'
import { createLog } from '#platform/log.ts'
import { type BookWork, openBookWork } from '#pages/book-work.ts'
import { openSite as open } from '#pages/site.ts'

export const product: Product = {
  id: '019a9b1c-0000-7000-8000-000000000001',
  name: 'A book',
  description: 'Words to keep.',
  price: 14.99,
  format: 'digital',
  is_digital: true,
  ships: false,
  is_sold_out: false,
  cover_url: null,
  cover: null,
  parts: [],
  holds: [],
  file_formats: ['epub', 'pdf'],
  contents: [],
  bonuses: [],
}

type AdminProducts = {
  products: Product[] | Error
  calls: number
  wait?: Promise<void>
  book?: PublishedBook
  sendsMail?: boolean
  had_key?: boolean
  bookReader?: BookWork
  in_prices?: TaxInPrices
  digital_seller?: Seller
  /** Everywhere. */
  shipping?: number
}

export async function openSite(
  adminProducts: AdminProducts = { products: [product], calls: 0 },
  siteUrl = 'https://shop.example',
  secret_key?: string,
) {
  const settings = defaultSettings({ port: 3000 })
  settings.shop.site_url = siteUrl
  if (adminProducts.in_prices) settings.tax = { ...settings.tax, in_prices: adminProducts.in_prices }
  if (adminProducts.digital_seller)
    settings.tax = { ...settings.tax, digital_seller: adminProducts.digital_seller }
  settings.shipping = { ...settings.shipping, price: adminProducts.shipping ?? 0 }
  settings.payments.had_key = adminProducts.had_key ?? false
  if (secret_key) settings.payments = { ...settings.payments, secret_key, webhook_secret: 'whsec_x' }
  const site = await open({
    settings: { get: () => settings },
    log: createLog('silent'),
    sendsMail: () => adminProducts.sendsMail ?? false,
    bookReader: adminProducts.bookReader ?? openBookWork(),
    readBook: async () => adminProducts.book ?? (await publishedBook(sampleBook)),
    lastData: async () => ({
      products: undefined,
      book: adminProducts.book ?? (await publishedBook(sampleBook)),
    }),
    async listProducts() {
      adminProducts.calls += 1
      const { products } = adminProducts
      await adminProducts.wait
      if (products instanceof Error) throw products
      return products
    },
  })
  const app = new Hono().get('*', site.handle)
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(path, { method, headers })
  const text = async (path: string) => (await get(path)).text()
  return { ...site, get, text, adminProducts }
}

/** One for all tests of a file that only look. */
export const unchangingSite = once(() => openSite())
