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

const shop = {
  siteUrl: 'https://shop.example',
  currency: 'eur',
  book: showBook(sampleBook),
}

test('search engines read one edition for each format, with its offer in the shop’s currency', () => {
  const { workExample } = bookJsonLd(shop, [product, { ...product, format: 'bundle', is_sold_out: true }])
  expect(workExample).toMatchObject([
    {
      '@type': ['Book', 'Product'],
      image: 'https://shop.example/social.png',
      bookFormat: 'https://schema.org/Hardcover',
      offers: { price: '40.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
    },
    {
      name: 'A book (Hardcover)',
      offers: {
        url: `https://shop.example/?product=${product.id}#book-sales`,
        availability: 'https://schema.org/SoldOut',
      },
    },
  ])
})

test('another title is no edition of the book, whose ISBN it does not have', () => {
  const book = showBook({ ...sampleBook, title: 'A book' })
  const { workExample } = bookJsonLd({ ...shop, book }, [product, { ...product, name: 'Another' }])
  expect(workExample.map(({ name }) => name)).toEqual([product.name])
})

test('search engines read what is sold out', () => {
  const { workExample } = bookJsonLd(shop, [product, { ...product, is_sold_out: true }])
  expect(workExample.map(({ offers }) => offers?.availability)).toEqual([
    'https://schema.org/InStock',
    'https://schema.org/SoldOut',
  ])
})

test('an edition has its ISBN, pages, publisher and date where the book has them', () => {
  const book = showBook({
    ...sampleBook,
    isbns: { ...sampleBook.isbns, hardcover: '978-3-16-148410-0' },
    pages: { ...sampleBook.pages, hardcover: 212 },
    publisher: 'The Shed Press',
    published_on: '2025-03-12',
  })
  const edition = {
    isbn: '978-3-16-148410-0',
    numberOfPages: 212,
    publisher: { name: 'The Shed Press' },
    datePublished: '2025-03-12',
  }
  expect(bookJsonLd({ ...shop, book }, [product]).workExample).toMatchObject([edition])
  const [bare] = bookJsonLd(shop, [product]).workExample
  for (const name of Object.keys(edition)) expect(bare).toHaveProperty(name, undefined)
})

test('an offer says of refunds what the page says, and nothing where the page says nothing', () => {
  const offerOf = (changed: Partial<typeof shop>, change: Partial<Product> = {}) =>
    bookJsonLd({ ...shop, ...changed }, [{ ...product, ...change }]).workExample[0]?.offers
  expect(offerOf({})?.hasMerchantReturnPolicy).toEqual({
    '@type': 'MerchantReturnPolicy',
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: 30,
    returnMethod: 'https://schema.org/ReturnByMail',
  })
  const ofFile = offerOf({}, { ships: false, is_digital: true })?.hasMerchantReturnPolicy
  expect(ofFile).toMatchObject({ merchantReturnDays: 30, returnMethod: undefined })
  expect(offerOf({}, { price: 0 })?.hasMerchantReturnPolicy).toBeUndefined()
  const unsaid = showBook({ ...sampleBook, claims: { ...sampleBook.claims, refund: '' } })
  expect(offerOf({ book: unsaid })?.hasMerchantReturnPolicy).toBeUndefined()
  expect(
    offerOf({ book: showBook({ ...sampleBook, refund_days: 0 }) })?.hasMerchantReturnPolicy,
  ).toBeUndefined()
})

test('what is not for sale yet is a book without an offer', () => {
  const [example] = bookJsonLd(shop, [{ ...product, is_available_soon: true }]).workExample
  expect(example).toMatchObject({ '@type': 'Book', offers: undefined })
})
