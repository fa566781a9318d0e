import { expect, test } from 'vitest'
import type { Format, Product } from '#contract/products.ts'
import { bundleSaving } from './offers.ts'

function product(format: Format, price: number): Product {
  return { id: crypto.randomUUID(), name: 'A book', description: '', price, format, is_digital: false }
}

const parts = [product('digital', 14.99), product('paperback', 24.99), product('hardcover', 39.99)]

test('a bundle saves what its parts cost more, to the cent', () => {
  const bundle = product('bundle', 49.97)
  expect(bundleSaving(bundle, [...parts, bundle])).toEqual({ fullPrice: 79.97, saved: 30 })
})

test('of several products of one format the cheapest is compared', () => {
  const bundle = product('bundle', 49.97)
  expect(bundleSaving(bundle, [...parts, product('digital', 99), bundle])?.fullPrice).toBe(79.97)
})

test('nothing is promised when a part is not for sale, or the bundle is not cheaper', () => {
  expect(bundleSaving(product('bundle', 49.97), parts.slice(1))).toBeUndefined()
  expect(bundleSaving(product('bundle', 79.97), parts)).toBeUndefined()
})
