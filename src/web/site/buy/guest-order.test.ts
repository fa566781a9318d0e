import { expect, test } from 'vitest'
import type { Product } from '#contract/catalog/products.ts'
import { mayGive, notAsked } from './guest-order.ts'

const product = (id: string, parts: string[] = []): Product => ({
  id,
  name: id,
  description: '',
  price: 1,
  format: parts.length > 0 ? 'bundle' : 'digital',
  is_digital: true,
  ships: false,
  is_sold_out: false,
  cover_url: null,
  cover: null,
  parts,
  holds: [],
  file_formats: [],
  contents: [],
  bonuses: [],
})

test('an order is read only where it is of the product, of a bundle with it, or of what is not for sale any more', () => {
  const products = [product('file'), product('paper'), product('both', ['file', 'paper'])]
  const read = (bought: string, wanted: string) => mayGive({ product_id: bought }, wanted, products)
  expect(['file', 'both', 'former'].filter((bought) => read(bought, 'file'))).toEqual([
    'file',
    'both',
    'former',
  ])
  expect([read('paper', 'file'), read('file', 'both')]).toEqual([false, false])
})

test('a copy that was begun under an address is not asked about again, but of what was paid since', () => {
  const entry = (name: string, product_id: string, ends_at?: string) => ({
    name,
    product_id,
    email: 'Ruth@example.com',
    ends_at,
  })
  const [since, begun, before] = [
    entry('since', 'both', '2027-01-01'),
    entry('begun', 'file'),
    entry('before', 'file', '2027-01-01'),
  ]
  const asked = (email: string) =>
    notAsked([since, begun, before], { product_id: 'file', email }).map(({ name }) => name)
  expect(asked('ruth@example.com')).toEqual(['since'])
  expect(asked('anna@example.com')).toEqual(['since', 'begun', 'before'])
})
