import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { showBook } from '#domains/book/show-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { bookJsonLd } from './json-ld.ts'

const product: Product = {
  id: '019a9b1c-0000-7000-8000-000000000001',
  name: 'A book (Hardcover)',
  description: '',
  price: 40,
  format: 'hardcover',
  is_digital: false,
  ships: true,
  is_sold_out: false,
  cover_url: null,
  cover: null,
  parts: [],
  holds: [],
  file_formats: [],
  contents: [],
  bonuses: [],
}

const shop = { siteUrl: 'https://shop.example', currency: 'eur', book: showBook(sampleBook) }

test('search engines read one edition for each format, with its offer in the shop’s currency', () => {
  const { workExample } = bookJsonLd(shop, [product, { ...product, format: 'bundle', is_sold_out: true }])
  expect(workExample).toMatchObject([
    {
      '@type': 'Book',
      bookFormat: 'https://schema.org/Hardcover',
      offers: { price: '40.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
    },
    {
      name: 'A book (Hardcover)',
      offers: { url: 'https://shop.example/#book-sales', availability: 'https://schema.org/SoldOut' },
    },
  ])
})

test('search engines read what is sold out', () => {
  const { workExample } = bookJsonLd(shop, [product, { ...product, is_sold_out: true }])
  expect(workExample.map(({ offers }) => offers?.availability)).toEqual([
    'https://schema.org/InStock',
    'https://schema.org/SoldOut',
  ])
})
