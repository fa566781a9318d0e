import { expect, test } from 'vitest'
import type { Format, Product } from '#features/products/contract/products.ts'
import { bundleSaving } from './offers.ts'

function product(format: Format, price: number, parts: Product[] = []): Product {
  const words = { id: crypto.randomUUID(), name: 'A book', description: '', cover_url: null, cover: null }
  const kind = { format, is_digital: false, ships: true, is_sold_out: false }
  const nothing = { file_formats: [], contents: [], bonuses: [] }
  return { ...words, ...kind, price, parts: parts.map(({ id }) => id), holds: [], ...nothing }
}

const parts = [product('digital', 14.99), product('paperback', 24.99), product('hardcover', 39.99)]

test('a bundle saves what its parts cost more, to the cent', () => {
  const bundle = product('bundle', 49.97, parts)
  expect(bundleSaving(bundle, [...parts, bundle])).toEqual({ fullPrice: 79.97, saved: 30 })
})

test('what is not in the bundle is not compared, however cheap', () => {
  const bundle = product('bundle', 49.97, parts)
  expect(bundleSaving(bundle, [product('digital', 1), ...parts, bundle])?.fullPrice).toBe(79.97)
})

test('nothing is promised when a part is not for sale, or the bundle is not cheaper, or empty', () => {
  expect(bundleSaving(product('bundle', 49.97, parts), parts.slice(1))).toBeUndefined()
  expect(bundleSaving(product('bundle', 79.97, parts), parts)).toBeUndefined()
  expect(bundleSaving(product('bundle', 49.97), parts)).toBeUndefined()
})
