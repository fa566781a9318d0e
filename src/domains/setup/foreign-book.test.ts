// Books by other programs on their way into the draft and onto the page.
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { buffer } from 'node:stream/consumers'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { call, draftOf, readFixture, take } from '#test/book-setup.ts'
import { openTestShop } from '#test/shop.ts'

test('all chapters stand in the contents, with their own numbers', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'asciidoctor-words-beyond-jordan.epub')
  const { document } = await draftOf(admin)
  expect(document.words.length).toBe(34)
  expect(document.words[33]).toEqual({ word: '34. The Death of Moses', line: '' })
  expect(document.words_have_own_numbers).toBe(true)

  await take(shop, admin, 'pandoc-psalmy.epub')
  const { document: parted } = await draftOf(admin)
  expect(parted.words).toEqual([
    { word: 'Начало дороги', line: '', is_part: true },
    { word: 'Два пути', line: '' },
    { word: 'Пастырь', line: '' },
    { word: 'Дом', line: '', is_part: true },
    { word: 'Под кровом', line: '' },
    { word: 'Хвала', line: '' },
  ])
})

test('a book that was packed wrongly says so at once, and is sold as it was packed anew', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { json } = await take(shop, admin, 'hand-made-psalmy.epub')
  expect(json.file?.findings).toEqual([
    expect.stringMatching(/packed anew\. Nothing in the book was changed\.$/),
    expect.stringMatching(/names some of its files differently/),
    expect.stringMatching(/does not say its language; its text looks like Russian/),
  ])
  const { document, revision } = await draftOf(admin)
  expect(document).toMatchObject({
    title: 'Три псалма',
    language: 'ru',
    description: '',
    author: { name: '' },
  })
  expect(document.cover).toMatchObject({ width: 400 })

  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  const complete = {
    ...document,
    description: 'Три псалма на дорогу.',
    author: { ...document.author, name: 'Псалмопевец' },
  }
  const saved = await call<{ revision: number }>(admin, 'PUT', 'book/draft', { revision, document: complete })
  expect((await call(admin, 'POST', 'setup/open', { revision: saved.json.revision })).status).toBe(200)
  const stored: Buffer[] = []
  for await (const name of shop.services.storage.list('ebooks/'))
    stored.push(await buffer(await shop.services.storage.read(name)))
  const { mimetype: _none, ...made } = unzipSync(await readFixture('hand-made-psalmy.epub'))
  const sold = stored.filter((bytes) => bytes.includes('psalm90')).map((bytes) => unzipSync(bytes))
  expect(sold).toEqual([{ mimetype: Buffer.from('application/epub+zip'), ...made }].map(toBytes))
})

function toBytes(files: Record<string, Uint8Array>): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, new Uint8Array(bytes)]))
}

test('nothing is read of a MOBI: its author types the page, and the shop sells the file', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { json } = await take(shop, admin, 'calibre-psalmy.mobi')
  expect(json.file).toMatchObject({ file_format: 'mobi', authors: [], contents: [], chapters: [] })
  expect(json.file?.findings).toEqual([
    expect.stringMatching(/^MOBI is an old format/),
    expect.stringMatching(/reads no words and no cover from a MOBI\. Please type/),
  ])
  const { document, revision } = await draftOf(admin)
  expect(document).toMatchObject({ title: '', author: { name: '' }, cover: null, words: [] })
  expect(document.preview.chapters).toEqual([])

  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  const typed = {
    ...document,
    title: 'Псалмы пути',
    description: 'Псалмы на дорогу.',
    language: 'ru',
    author: { ...document.author, name: 'Псалмопевец' },
    preview: { chapters: [{ number: null, title: 'Два пути', text: 'Блажен муж' }], after: '' },
  }
  const saved = await call<{ revision: number }>(admin, 'PUT', 'book/draft', { revision, document: typed })
  expect((await call(admin, 'POST', 'setup/open', { revision: saved.json.revision })).status).toBe(200)
  const [product] = (await (await admin.call('GET', '/api/admin/products')).json()) as AdminProduct[]
  expect(product).toMatchObject({ delivery_gap: null, editions: [{ file_format: 'mobi' }] })
})
