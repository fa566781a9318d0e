// The preview of a book under way shows what its author offers.
import { expect, test } from 'vitest'
import type { Product } from '#contract/catalog/products.ts'
import { call, draftOf, take } from '#test/book-setup.ts'
import { openTestShop } from '#test/shop.ts'
import { listPreviewProducts, hideEmptySection } from './setup.ts'

test('the preview offers nothing of the sample once an own book was brought, and each format as it is chosen', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const preview = () => listPreviewProducts(shop.services)
  expect(await preview()).toBeUndefined()
  await take(shop, admin, 'songs-of-the-road.epub')
  expect(await preview()).toEqual([])
  const { document } = await draftOf(admin)
  const shelf = (products: Product[] | undefined) =>
    hideEmptySection(document, products).sections.find(({ name }) => name === 'purchase')?.is_shown
  expect([shelf([]), shelf(undefined)]).toEqual([false, true])
  const offers = [
    { format: 'digital', price: 5 },
    { format: 'paperback', price: 9 },
    { format: 'bundle', price: 12 },
  ]
  await call(admin, 'PUT', 'setup/offers', { offers })
  expect(await preview()).toMatchObject([
    { name: 'Songs of the Road', price: 5, file_formats: ['epub'], ships: false, is_available_soon: true },
    { name: 'Songs of the Road (Paperback)', price: 9, file_formats: [], ships: true },
    { price: 12, holds: ['digital', 'paperback'], is_digital: true, ships: true },
  ])
})
