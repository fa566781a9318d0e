// The picture beside a link to an own book: its words, its cover, its address.
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { paint } from '#test/pictures.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { makeAssets } from '#tools/assets.ts'
import { addPicture } from '#domains/files/pictures.ts'
import { stopCountingSample } from '#domains/settings/sums-settings.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { publishDraft, readDraft, saveDraft } from './drafts.ts'
import { publishedBook } from './published-book.ts'
import { sharePicture, sharePictureUrl } from './share-picture.ts'

beforeAll(makeAssets)

const someone = { id: null, email: 'author@example.com', ip: null }
const author = { ...sampleBook.author, name: 'Ann Author' }
const own: BookDocument = {
  ...sampleBook,
  rating: null,
  title: 'The Long Road',
  product: '',
  subtitle: '',
  author,
}

async function publish({ services }: TestShop, document: BookDocument): Promise<string | null> {
  const { revision } = await readDraft(services.db)
  const saved = await saveDraft(services, { document, revision }, someone)
  await publishDraft(services, saved.revision, someone, stopCountingSample)
  const { products } = await services.catalogue.get()
  return sharePictureUrl(await services.book.get(), products)
}

/** The words stand in the right half. */
const words = { left: 490, top: 0, width: 710, height: 630 }
const cover = { left: 180, top: 200, width: 160, height: 200 }

async function fetchPicture(shop: TestShop, path: string) {
  const response = await shop.call('GET', path)
  const bytes = Buffer.from(await response.arrayBuffer())
  const cut = (part: typeof words) => sharp(bytes).extract(part).raw().toBuffer()
  return { response, about: await sharp(bytes).metadata(), words: await cut(words), cover: await cut(cover) }
}

test('a picture of an own book has its cover at the left and its words at the right', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const bring = async (color: string) => {
    const source = await paint({ width: 600, height: 900, color }).jpeg().toBuffer()
    const { colors: _, ...picture } = await addPicture(shop.services, source, async () => undefined)
    return { ...picture, alt: '' }
  }
  const pictured = { ...own, cover: await bring('#c03020') }
  const path = await publish(shop, pictured)
  expect(path).toMatch(/^\/cover\/share\.jpg\?v=[\w-]{16}$/)
  const first = await fetchPicture(shop, path ?? '')
  expect(first.about).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  expect(first.response.headers.get('cache-control')).toContain('immutable')

  const retitled = await publish(shop, { ...pictured, title: 'Another Road' })
  expect(retitled).not.toBe(path)
  const other = await fetchPicture(shop, retitled ?? '')
  expect(other.words.equals(first.words)).toBe(false)
  expect(other.cover.equals(first.cover)).toBe(true)
  // The address of the former picture is known to networks.
  const stale = await fetchPicture(shop, path ?? '')
  expect(stale.response.headers.get('cache-control')).toBe('no-cache')
  expect(stale.words.equals(other.words)).toBe(true)

  const recovered = await publish(shop, { ...pictured, title: 'Another Road', cover: await bring('#2030c0') })
  expect(recovered).not.toBe(retitled)
  expect((await fetchPicture(shop, recovered ?? '')).cover.equals(other.cover)).toBe(false)
  const drawn = await fetchPicture(shop, (await publish(shop, own)) ?? '')
  expect(drawn.cover.equals(first.cover)).toBe(false)
})

test('it names the formats in the language of the book, a bundle by what it holds', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { products } = await shop.services.catalogue.get()
  const german = await publishedBook({ ...own, language: 'de' })
  const bundle = products.filter(({ format }) => format === 'bundle')
  expect(sharePicture(await publishedBook(own), products).formats).toBe('Digital · Paperback · Hardcover')
  expect(sharePicture(german, bundle).formats).toBe(sharePicture(german, products).formats)
  expect(sharePicture(german, products).formats).toContain('Taschenbuch')
  expect(sharePicture(german, []).formats).toBe('')
})

test('title, author, formats, looks and cover change its address, and nothing else does', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { products } = await shop.services.catalogue.get()
  const urlOf = async (change: Partial<BookDocument>, listed = products) =>
    sharePictureUrl(await publishedBook({ ...own, ...change }), listed)
  const cover = { id: '01a2031e-2661-7717-9c56-a2eb7b881baf', width: 600, height: 900, alt: '' }
  const urls = await Promise.all([
    urlOf({}),
    urlOf({ title: 'The Road' }),
    urlOf({ author: { ...author, name: 'Ann B. Author' } }),
    urlOf({}, products.slice(0, 1)),
    urlOf({ looks: { ...own.looks, palette: 'sage' } }),
    urlOf({ cover }),
    urlOf({ cover: { ...cover, id: '01a2031e-2661-7717-9c56-a2eb7b881bb0' } }),
  ])
  expect(new Set(urls).size).toBe(urls.length)
  const dearer = Array.from(products, (product) => ({ ...product, price: product.price + 1 }))
  expect(await urlOf({ description: 'Something else.' }, dearer)).toBe(urls[0])
})

test('the sample keeps its own, and so does a book with letters that the fonts lack', async () => {
  expect(sharePictureUrl(await publishedBook(sampleBook))).toBeNull()
  for (const change of [
    { title: '红楼梦' },
    { title: 'ألف ليلة وليلة' },
    { author: { ...author, name: 'דויד' } },
  ])
    expect(sharePictureUrl(await publishedBook({ ...own, ...change }))).toBeNull()
})
