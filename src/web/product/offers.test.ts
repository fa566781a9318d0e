import { expect, test } from 'vitest'
import type { Product } from '#contract/catalog/products.ts'
import type { Format } from '#contract/catalog/formats.ts'
import { ownName } from '#contract/catalog/product-name.ts'
import { deliveryTime } from '#contract/orders/parcel-words.ts'
import {
  bundleSaving,
  buyLabels,
  priceLabel,
  cardLines,
  postLines,
  formatFormats,
  savingWithCode,
  shippingLine,
  truths,
} from './offers.ts'
import { product } from '#test/site.ts'
import { formatMoney } from '../format/format.tsx'
import { loadWording, withTexts } from '#words/wording.ts'

function productAt(format: Format, price: number, parts: Product[] = []): Product {
  const words = { id: crypto.randomUUID(), name: 'A book', description: '', cover_url: null, cover: null }
  const kind = { format, is_digital: false, ships: true, is_sold_out: false }
  const nothing = { file_formats: [], contents: [], bonuses: [] }
  return { ...words, ...kind, price, parts: parts.map(({ id }) => id), holds: [], ...nothing }
}

const parts = [productAt('digital', 14.99), productAt('paperback', 24.99), productAt('hardcover', 39.99)]

test('a bundle saves what its parts cost more, to the cent', () => {
  const bundle = productAt('bundle', 49.97, parts)
  expect(bundleSaving(bundle, [...parts, bundle])).toEqual({ fullPrice: 79.97, saved: 30 })
})

test('what is not in the bundle is not compared, however cheap', () => {
  const bundle = productAt('bundle', 49.97, parts)
  expect(bundleSaving(bundle, [productAt('digital', 1), ...parts, bundle])?.fullPrice).toBe(79.97)
})

test('nothing is promised when a part is not for sale, or the bundle is not cheaper, or empty', () => {
  expect(bundleSaving(productAt('bundle', 49.97, parts), parts.slice(1))).toBeUndefined()
  expect(bundleSaving(productAt('bundle', 79.97, parts), parts)).toBeUndefined()
  expect(bundleSaving(productAt('bundle', 49.97), parts)).toBeUndefined()
})

test('a bundle saves what its parts cost more: before the code where that may be struck out, else with it', () => {
  const two = [productAt('digital', 12), productAt('paperback', 25)]
  const bundle = productAt('bundle', 30, two)
  const page = [...two, bundle]
  const listed = ({ price }: Product) => ({ price, saving: undefined })
  const half = ({ price }: Product) => ({ price: price / 2, saving: undefined })
  const struck = (each: Product) => ({
    ...half(each),
    saving: { fullPrice: each.price, saved: each.price / 2 },
  })
  expect(savingWithCode(bundle, page, listed)).toEqual({ fullPrice: 37, saved: 7 })
  expect(savingWithCode(bundle, page, half)).toEqual({ saved: 3.5 })
  const ofOwn = (each: Product) => (each === bundle ? struck(each) : half(each))
  expect(savingWithCode(bundle, page, ofOwn)).toEqual({ fullPrice: 30, saved: 15 })
  expect(savingWithCode(bundle, page, struck)).toEqual({ fullPrice: 37, saved: 22 })
  const ofBundle = (each: Product) => (each === bundle ? half(each) : listed(each))
  expect(savingWithCode(bundle, page, ofBundle)).toEqual({ fullPrice: 37, saved: 22 })
  expect(savingWithCode(two[0]!, page, struck)).toEqual({ fullPrice: 12, saved: 6 })
  const dear = productAt('bundle', 40, two)
  expect(savingWithCode(dear, [...two, dear], struck)).toEqual({ fullPrice: 40, saved: 20 })
})

test('a bundle saves nothing while a part of it is sold out, or not for sale yet', () => {
  const [digital, paperback, hardcover] = parts
  const bundle = productAt('bundle', 49.97, parts)
  const soldOut = { ...hardcover!, is_sold_out: true }
  expect(bundleSaving(bundle, [digital!, paperback!, soldOut, bundle])).toBeUndefined()
  const soon = { ...paperback!, is_available_soon: true as const }
  expect(bundleSaving(bundle, [digital!, soon, hardcover!, bundle])).toBeUndefined()
})

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
  expect(cardLines(product)).toEqual(['Instant download', 'PDF and EPUB for your reading device'])
  expect(cardLines({ ...product, file_formats: ['epub'] })).toEqual([
    'Instant download',
    'EPUB for your reading device',
  ])
  expect(cardLines({ ...product, file_formats: [] })).toEqual(['Instant download'])
  expect(cardLines({ ...paperback, contents: ['Soft cover'] })).toEqual(['Soft cover'])
  expect(cardLines(bundle)).toEqual([
    'Digital and paperback',
    'Instant download',
    'PDF and EPUB for your reading device',
    'Lifetime access',
    'Exclusive bonus: Nine Prayers',
  ])
})

test('nothing is called instant while it is sold out, or not for sale yet', () => {
  for (const later of [{ is_sold_out: true }, { is_available_soon: true as const }]) {
    const ebook = { ...product, ...later }
    expect(cardLines(ebook)).toEqual(['PDF and EPUB for your reading device'])
    expect(truths([ebook], free)).toMatchObject({ pdf: false, no_pdf: false, digital: true })
  }
})

test('a card repeats no name that is the book’s, with or without its format', () => {
  const named = (name: string) => ownName({ ...paperback, name }, 'The Quiet Road')
  expect(named('The Quiet Road')).toBe('')
  expect(named('The Quiet Road (Paperback)')).toBe('')
  expect(named('The Quiet Road (Bundle)')).toBe('The Quiet Road (Bundle)')
  expect(named('Study Guide')).toBe('Study Guide')
})

test('a book on paper is posted by the seller to countries that are named while they are few', () => {
  expect(postLines({ sender: 'Anna Miller', countries: ['US'] })).toEqual([
    'A printed copy, posted by Anna Miller',
    'Ships to: United States',
  ])
  expect(postLines({ sender: '', countries: ['US', 'CA', 'MX'] })).toEqual([
    'A printed copy, by post',
    'Ships to: United States, Canada and Mexico',
  ])
  expect(postLines({ sender: '', countries: ['US', 'CA', 'MX', 'GB'] })[1]).toBe('Ships to 4 countries')
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

test('the button of a product that is not out says that it is a pre-order', () => {
  const release = { on: '2027-02-01', is_partial: false }
  const later = { ...paperback, release }
  expect(labels(product, later)).toEqual(['Buy Digital', 'Pre-order Paperback'])
  expect(labels(paperback, { ...later, name: 'Study Guide' })).toEqual([
    'Buy A book',
    'Pre-order Study Guide',
  ])
  expect(labels({ ...later, price: 0 })).toEqual(['Pre-order Paperback'])
  // A part of it is out.
  expect(labels({ ...bundle, release: { ...release, is_partial: true } })).toEqual(['Buy Bundle'])
  expect([priceLabel(later, 9, dollars), priceLabel(later, 0, dollars)]).toEqual([
    'Pre-order for $9.00',
    'Pre-order it free',
  ])
  expect([priceLabel(product, 9, dollars), priceLabel(product, 0, dollars)]).toEqual([
    'Buy for $9.00',
    'Get it free',
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

test('the formats of a bundle are told as a list, and none are nothing', () => {
  expect(formatFormats(['digital', 'paperback', 'hardcover'])).toBe('Digital, paperback and hardcover')
  expect(formatFormats(['digital', 'paperback'])).toBe('Digital and paperback')
  expect(formatFormats(['hardcover'])).toBe('Hardcover')
  expect(formatFormats([])).toBe('')
})

test('the delivery time is said in the language of the page, with a pre-order from its day', async () => {
  const says = async (language: string, min: number, max: number, on?: string) =>
    withTexts(await loadWording({ language, texts: {} }), () =>
      deliveryTime(on ? { release: { on, is_partial: false } } : {}, { min, max }),
    )
  expect(await says('en', 3, 5)).toBe('Delivered in 3\u2060–\u20605 working days')
  expect(await says('en', 1, 1)).toBe('Delivered in 1 working day')
  expect(await says('en', 2, 2, '2027-03-12')).toBe('Delivered 2 working days after March 12, 2027')
  expect(await says('de', 3, 5)).toBe('Lieferzeit: 3\u2060–\u20605 Arbeitstage')
  expect(await says('de', 3, 5, '2027-03-12')).toBe(
    'Lieferzeit: 3\u2060–\u20605 Arbeitstage ab dem 12. März 2027',
  )
  expect(await says('pl', 2, 4)).toBe('Dostawa w ciągu 2\u2060–\u20604 dni roboczych')
  expect(await says('pl', 1, 1, '2027-03-12')).toBe('Dostawa w ciągu 1 dnia roboczego po 12 marca 2027')
  expect(await says('ja', 3, 5)).toBe('お届けまで3\u2060～\u20605営業日')
})
