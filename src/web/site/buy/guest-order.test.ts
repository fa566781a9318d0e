import { expect, test } from 'vitest'
import type { Product } from '#contract/catalog/products.ts'
import { mayGive } from './guest-order.ts'

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
