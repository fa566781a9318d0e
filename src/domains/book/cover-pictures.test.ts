// The cover that is drawn where the author has brought none: on the page, and as a picture for links and mails.
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { makeAssets } from '#tools/assets.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { fitSize, letterSizes } from '#contract/book/letter-sizes.ts'
import { publishDraft, readDraft, saveDraft } from './drafts.ts'
import { stopCountingSample } from '#domains/settings/sums-settings.ts'
import { showBook } from './show-book.ts'

beforeAll(makeAssets)

const someone = { id: null, email: 'author@example.com', ip: null }

const titled = (title: string, rest: Partial<BookDocument> = {}): BookDocument => ({
  ...sampleBook,
  rating: null,
  title,
  product: '',
  ...rest,
})

async function publish({ services }: TestShop, document: BookDocument): Promise<void> {
  const { revision } = await readDraft(services.db)
  const saved = await saveDraft(services, { document, revision }, someone)
  await publishDraft(services, saved.revision, someone, stopCountingSample)
}

async function fetchPicture(shop: TestShop, path: string) {
  const response = await shop.call('GET', path)
  const bytes = Buffer.from(await response.arrayBuffer())
  return {
    headers: response.headers,
    about: await sharp(bytes).metadata(),
    stats: await sharp(bytes).stats(),
  }
}

test('the sample has its own cover, a picture is shown as it is, and any other book gets one drawn', () => {
  expect(showBook(sampleBook)).toMatchObject({ drawn_cover: null, cover_files: { social: '/social.png' } })
  const cover = { id: '01a2031e-2661-7717-9c56-a2eb7b881baf', width: 600, height: 900, alt: '' }
  const pictured = showBook(titled('A Book', { cover }))
  expect(pictured.drawn_cover).toBeNull()
  expect(pictured.cover_files.apple).toBe(`/pictures/${cover.id}/icon-180.png`)
  expect(pictured.looks.css).toBe(':root{--cover-ratio:0.667}')
  for (const title of ['红楼梦', 'ألف ليلة وليلة', 'Мастер и Маргарита', "Author's <b>Book</b>"]) {
    const { drawn_cover, cover_files } = showBook(titled(title))
    expect(drawn_cover?.large).toBe(title.replace("'", '’'))
    expect(cover_files.social).toMatch(/^\/cover\/social\.jpg\?v=[\w-]{16}$/)
  }
  const { drawn_cover } = showBook({ ...sampleBook, product: 'Seven Gifts' })
  expect(drawn_cover).toMatchObject({ large: 'Seven Gifts', small: 'that Change Everything' })
})

test('a title is set as large as it fits, in any script', () => {
  const box = { width: 80, height: 30 }
  const sizeOf = (text: string) => letterSizes[fitSize(text, box)] ?? 0
  const sizes = ['Home', 'Pride and Prejudice', 'word '.repeat(30), 'word '.repeat(60)].map(sizeOf)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(sizeOf('a'.repeat(40))).toBeLessThan(5)
  expect(sizeOf('红楼梦'.repeat(8))).toBeGreaterThan(5)
})

test('the drawn cover is a picture for links and mails, another one after each change', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  await publish(shop, titled('Οδύσσεια & Ψ', { subtitle: '<i>' }))
  const { shown } = await shop.services.book.get()
  const first = await fetchPicture(shop, shown.cover_files.social)
  expect(first.about).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  expect(first.headers.get('cache-control')).toContain('immutable')

  await publish(shop, titled('红楼梦'))
  const stale = await fetchPicture(shop, shown.cover_files.social)
  expect(stale.headers.get('cache-control')).toBe('no-cache')
  expect(stale.stats).not.toEqual(first.stats)
  const mail = await fetchPicture(shop, '/cover/mail.jpg')
  expect(mail.about).toMatchObject({ format: 'jpeg', width: 320, height: 495 })
  expect(mail.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  const { tab, icon_512 } = showBook(titled('红楼梦')).cover_files
  const icons = [await fetchPicture(shop, tab ?? ''), await fetchPicture(shop, icon_512)]
  expect(icons.map(({ about }) => [about.format, about.width, about.height])).toEqual([
    ['png', 32, 32],
    ['png', 512, 512],
  ])
  expect((await shop.call('GET', '/cover/secret.jpg')).status).toBe(404)
})
