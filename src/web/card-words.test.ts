import { expect, test } from 'vitest'
import type { Product } from '#features/products/contract/products.ts'
import { product } from '#test/site.ts'
import { buyLabels, cardLines, shippingLine } from './card-words.ts'
import { formatMoney } from './format.ts'
import { truths } from './offers.ts'

const dollars = (amount: number) => formatMoney(amount, 'usd')
const free = { min: 0, max: 0 }
const paperback: Product = {
  ...product,
  format: 'paperback',
  is_digital: false,
  ships: true,
  file_formats: [],
}
const bundle: Product = {
  ...product,
  format: 'bundle',
  holds: ['digital', 'paperback'],
  contents: ['Lifetime access', 'Instant download'],
  bonuses: ['Nine Prayers'],
}
const withIds = (products: Product[]) => products.map((each, at) => ({ ...each, id: String(at) }))
const labels = (...products: Product[]) => [
  ...buyLabels(withIds(products), (amount) => `$${amount.toFixed(2)}`).values(),
]

test('a card lists the formats its files really have, and the author’s lines, each once', () => {
  expect(cardLines(product)).toEqual(['Instant download', 'PDF, and EPUB for your reading device'])
  expect(cardLines({ ...product, file_formats: ['epub'] })).toEqual([
    'Instant download',
    'EPUB for your reading device',
  ])
  expect(cardLines({ ...product, file_formats: [] })).toEqual(['Instant download'])
  expect(cardLines({ ...paperback, contents: ['Soft cover'] })).toEqual(['Soft cover'])
  expect(cardLines(bundle)).toEqual([
    'Digital and paperback',
    'Instant download',
    'PDF, and EPUB for your reading device',
    'Lifetime access',
    'Exclusive bonus: Nine Prayers',
  ])
})

test('a buy button names the format, unless another product’s does', () => {
  expect(labels(product, paperback, bundle)).toEqual(['Buy Digital', 'Buy Paperback', 'Buy Bundle'])
  const guide = { ...paperback, name: 'Study Guide' }
  expect(labels(product, paperback, guide)).toEqual([
    'Buy Digital',
    'Buy A book (Paperback)',
    'Buy Study Guide',
  ])
  expect(labels({ ...product, name: 'Paperback' }, paperback, guide)).toEqual([
    'Buy Digital',
    'Buy A book',
    'Buy Study Guide',
  ])
  const same = labels(paperback, paperback, { ...paperback, price: 5 })
  expect(same).toEqual([
    'Buy A book (Paperback, $14.99), 1',
    'Buy A book (Paperback, $14.99), 2',
    'Buy A book (Paperback, $5.00)',
  ])
})

test('a promise stands under the cards only while the products for sale keep it', () => {
  expect(truths([product, paperback, bundle], free)).toEqual({
    refund: true,
    ships: true,
    pdf: true,
    no_pdf: false,
    digital: true,
    bonus: true,
  })
  expect(truths([{ ...product, file_formats: ['epub'] }], free)).toEqual({
    refund: true,
    ships: false,
    pdf: false,
    no_pdf: true,
    digital: true,
    bonus: false,
  })
  expect(truths([paperback], free)).toMatchObject({ ships: true, pdf: false, no_pdf: false, digital: false })
})

test('shipping is called free only while it is, to every country that is served', () => {
  expect(shippingLine(free, dollars)).toBe('Ships free to your door')
  expect(shippingLine({ min: 4.9, max: 4.9 }, dollars)).toBe('Plus $4.90 shipping')
  expect(shippingLine({ min: 4.9, max: 12.5 }, dollars)).toBe('Plus shipping from $4.90')
  expect(shippingLine({ min: 0, max: 12.5 }, dollars)).toBe('Shipping free or up to $12.50, by country')
  expect(truths([paperback], { min: 0, max: 12.5 }).ships).toBe(false)
})
