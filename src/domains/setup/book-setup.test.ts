// From the author's own file to an open shop: what is stored after each step, and what visitors see.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type DraftState, sectionNames } from '#contract/book/book.ts'
import { bookDocument } from '#contract/book/checked-book.ts'
import type { AdminProduct } from '#contract/catalog/products.ts'
import type { FirstSteps } from '#contract/setup/setup.ts'
import { call, draftOf, readFixture, take } from '#test/book-setup.ts'
import { makeBook } from '#test/epub.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'
import { openPictureReader } from '#domains/files/pictures.ts'
import { openUploadReader } from '#domains/files/ebook-reader.ts'
import { readSetup, takeBookFile } from './book-setup.ts'

/** As visitors see it. */
async function previewTitles(shop: TestShop): Promise<string[]> {
  const chapters = (await (await shop.call('GET', '/api/book/chapters')).json()) as { title: string }[]
  return chapters.map(({ title }) => title)
}

test('a book goes from its file to an open shop; until then visitors see the sample', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  expect((await call(admin, 'GET', 'setup')).json).toEqual({
    step: 'file',
    file: null,
    offers: [],
    currency: { code: 'usd', locked: null },
    time_zone: { name: 'UTC', is_chosen: false, variable: null },
  })

  const { status, json } = await take(shop, admin, 'songs-of-the-road.epub')
  expect(status).toBe(200)
  expect(json).toMatchObject({ step: 'words', file: { title: 'Songs of the Road', is_stored: true } })
  expect(JSON.stringify(json)).not.toContain('mine eyes unto the hills')
  const draft = await draftOf(admin)
  expect(draft.document).toMatchObject({
    title: 'Songs of the Road',
    subtitle: 'Five Psalms for Travellers',
    author: { name: 'David and others' },
    isbns: { digital: '9783161484100' },
    cover: { width: 400, alt: '' },
    rating: null,
    words: ['The Keeper', 'The City', 'The Escape', 'The Harvest', 'The House'].map((word) => ({ word })),
    preview: { chapters: [{ title: 'The Keeper', text: expect.stringContaining('mine eyes') }] },
    refund_days: 0,
  })

  const chosen = { revision: draft.revision, chapters: [1, 4] }
  const { json: previewed } = await call<DraftState>(admin, 'PUT', 'setup/preview', chosen)
  expect(previewed.document.preview.chapters.map(({ title }) => title)).toEqual(['Preface', 'The City'])
  const lost = await call(admin, 'PUT', 'setup/preview', { revision: previewed.revision, chapters: [99] })
  expect(lost.json.code).toBe('setup.chapter_not_found')

  const { revision } = previewed
  expect((await call(admin, 'POST', 'setup/open', { revision })).json.code).toBe('setup.nothing_for_sale')
  const offers = [
    { format: 'digital', price: 7 },
    { format: 'paperback', price: 12.5 },
    { format: 'bundle', price: 15 },
  ]
  await call(admin, 'PUT', 'setup/offers', { offers })
  expect((await call(admin, 'PUT', 'setup/step', { step: 'open' })).json).toMatchObject({
    step: 'open',
    offers,
  })
  const publish = { revision }
  expect(await call(admin, 'POST', 'book/publish', publish)).toMatchObject({
    status: 409,
    json: { code: 'book.waits_for_opening' },
  })
  expect(await draftOf(admin)).toMatchObject({ waits_for_opening: true, versions: [] })
  expect((await call<FirstSteps>(admin, 'GET', 'first-steps')).json.setup_step).toBe('open')
  expect(await (await shop.call('GET', '/api/products')).json()).toHaveLength(4)
  expect(await previewTitles(shop)).toEqual(['Before you begin', 'Propitiation'])

  const opened = await Promise.all([1, 2].map(() => call(admin, 'POST', 'setup/open', { revision })))
  expect(opened.map((each) => each.status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await call(admin, 'GET', 'setup')).json).toMatchObject({ step: 'done', file: null })
  expect((await call(admin, 'POST', 'setup/open', { revision })).json.code).toBe('setup.opened')
  expect(await draftOf(admin)).toMatchObject({ waits_for_opening: false, versions: [{ number: 1 }] })
  expect((await call<FirstSteps>(admin, 'GET', 'first-steps')).json.setup_step).toBeNull()
  const products = (await (await shop.call('GET', '/api/products')).json()) as AdminProduct[]
  expect(products.map(({ name, price }) => [name, price])).toEqual([
    ['Songs of the Road', 7],
    ['Songs of the Road (Paperback)', 12.5],
    ['Songs of the Road (Bundle)', 15],
  ])
  expect(products[2]!.parts).toEqual([products[0]!.id, products[1]!.id])
  expect(await previewTitles(shop)).toEqual(['Preface', 'The City'])
  const all = (await call<AdminProduct[]>(admin, 'GET', 'products')).json
  expect(all).toHaveLength(3)
  const stored: string[] = []
  for await (const file of shop.services.storage.list('ebooks')) stored.push(file)
  expect(stored).toEqual([expect.stringContaining('Songs-of-the-Road')])
})

test('what the file does not say is empty, and nothing of the sample is left', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { document: sample, revision } = await draftOf(admin)
  const author = { ...sample.author, biography: 'Typed before the file was there.' }
  await call(admin, 'PUT', 'book/draft', { revision, document: { ...sample, author } })
  await take(shop, admin, 'songs-of-the-road.epub')
  const {
    legal: _legal,
    sections,
    looks: _looks,
    cover: _cover,
    ...document
  } = (await draftOf(admin)).document
  expect(document.author).toMatchObject({ name: 'David and others', biography: author.biography })
  expect(sections).toEqual(sectionNames.map((name) => ({ name, is_shown: true })))
  const { words, preview, title, subtitle, description, isbns, publisher, closing, ...named } = document
  const { language: _language, author: _author, words_have_own_numbers: _numbers, ...rest } = named
  const { claims, ...others } = rest
  const unsaid = { ...others, after: preview.after, lines: words.map(({ line }) => line) }
  expect(textsOf(unsaid)).toEqual([])
  expect([publisher, closing.title]).toEqual(['The Test Shelf', 'Ready for the first page?'])
  expect(claims).toMatchObject({ refund: '{days}-day money-back guarantee', digital: '', bonus: '' })
  const said = textsOf({ words, preview, title, subtitle, description, isbns })
  expect(said.length).toBeGreaterThan(5)
  expect(said.filter((text) => textsOf(sample).includes(text))).toEqual([])
})

/** All that is said, shown or promised somewhere in it. */
function textsOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf)
  return value === null || value === '' || value === false || value === 0 ? [] : [value]
}

test('another file replaces what was read, and leaves what was typed', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'songs-of-the-road.epub')
  const { document, revision } = await draftOf(admin)
  const blueprint = { ...document.blueprint, lead: 'As I would build it' }
  const typed = { ...document, subtitle: 'My own words', blueprint }
  await call(admin, 'PUT', 'book/draft', { revision, document: typed })
  const { json } = await take(shop, admin, 'v-nachale.epub')
  expect(json.file).toMatchObject({ title: 'В начале', name: 'v-nachale.epub' })
  expect((await draftOf(admin)).document).toMatchObject({
    title: 'В начале',
    subtitle: 'My own words',
    blueprint: { lead: 'As I would build it' },
    cover: null,
    words: [{ word: 'Бытие' }, { word: 'Псалом 22' }, { word: 'От Иоанна' }],
  })
})

test('the paragraphs of a description stay those of the draft, and may be published', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const metadata = '<dc:title>The Sons</dc:title><dc:description>Of two\nsons.\n\nOf home.</dc:description>'
  const content = makeBook({ 'a.xhtml': `<h1>Far</h1><p>${'He went far. '.repeat(30)}</p>` }, { metadata })
  const upload_id = await upload(shop, admin, content, 'book.epub')
  await takeBookFile(shop.services, upload_id, { id: admin.id, email: admin.email, ip: null })
  const { description } = (await draftOf(admin)).document
  expect(description).toBe('Of two sons.\n\nOf home.')
  expect(bookDocument.shape.description.parse(description)).toBe(description)
})

test('a book that was not read in time is not lost: the next call reads it', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const actor = { id: admin.id, email: admin.email, ip: null }
  await using closing = new AsyncDisposableStack()
  const uploadReader = closing.adopt(openUploadReader({ taskMs: 1 }), (reader) => reader.close())
  const upload_id = await upload(shop, admin, await readFixture('songs-of-the-road.epub'), 'songs.epub')
  const taken = takeBookFile({ ...shop.services, uploadReader }, upload_id, actor)
  await expect(taken).rejects.toMatchObject({ code: 'uploads.timed_out', status: 503 })
  await takeBookFile(shop.services, upload_id, actor)
  expect((await readSetup(shop.services)).file).toMatchObject({ title: 'Songs of the Road', is_stored: true })
})

test('a cover that took too long has another message than one that cannot be opened', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id, email } = admin
  const actor = { id, email, ip: null }
  const takeWith = async (limits: Parameters<typeof openPictureReader>[0]) => {
    await using closing = new AsyncDisposableStack()
    const pictureReader = closing.adopt(openPictureReader(limits), (reader) => reader.close())
    const upload_id = await upload(shop, admin, await readFixture('songs-of-the-road.epub'), 'songs.epub')
    await takeBookFile({ ...shop.services, pictureReader }, upload_id, actor)
    return (await call(admin, 'GET', 'setup')).json.file?.findings
  }
  expect(await takeWith({ taskMs: 1 })).toEqual([
    'The cover in the file was not ready in time. Please choose the file again, or the picture itself.',
  ])
  expect((await draftOf(admin)).document.cover).toBeNull()
  await expect(takeWith({ threads: 0, maxQueued: 0 })).rejects.toMatchObject({ code: 'uploads.busy' })
  expect(await takeWith({})).toEqual([])
  expect((await draftOf(admin)).document.cover).toMatchObject({ width: 400 })
})

test('a PDF fills in what it says, and leaves the preview to the author', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const pdf = await readFile(new URL(import.meta.resolve('#content/edition/sample.pdf')))
  const upload_id = await upload(shop, admin, pdf, 'book.pdf')
  const { json } = await call(admin, 'POST', 'setup/file', { upload_id })
  expect(json.file).toMatchObject({ file_format: 'pdf', pages: 25, chapters: [], is_stored: true })
  expect((await draftOf(admin)).document).toMatchObject({
    title: "Nine P's that Change Everything",
    words: expect.arrayContaining([{ word: 'Propitiation', line: '' }]),
    preview: { chapters: [] },
  })
})

test('a file that could not be sold later is refused at once', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const upload_id = await upload(shop, admin, await readFixture('v-nachale.epub'), 'book.pdf')
  const { status, json } = await call<{ detail: string }>(admin, 'POST', 'setup/file', { upload_id })
  expect([status, json.code]).toEqual([422, 'uploads.not_an_ebook'])
  expect(json.detail).toMatch(/is EPUB.*“\.epub”/)
  expect((await call(admin, 'GET', 'setup')).json.step).toBe('file')
})

test('a file that cannot be read says why, and changes nothing', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const broken = (await readFixture('v-nachale.epub')).subarray(0, 2_000)
  const upload_id = await upload(shop, admin, broken, 'book.epub')
  const refused = await call(admin, 'POST', 'setup/file', { upload_id })
  expect(refused).toMatchObject({ status: 422, json: { code: 'uploads.not_an_ebook' } })
  expect((await call(admin, 'GET', 'setup')).json.step).toBe('file')
  expect((await draftOf(admin)).saved).toBeNull()
})

test('a book on its own, or a bundle of nothing, has no price twice', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  for (const offers of [
    [{ format: 'bundle', price: 5 }],
    [
      { format: 'digital', price: 5 },
      { format: 'digital', price: 6 },
    ],
    [{ format: 'digital', price: -1 }],
  ])
    expect((await call(admin, 'PUT', 'setup/offers', { offers })).status).toBe(422)
})

test('the currency is chosen with the prices, until something was sold or the shop is open', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await take(shop, admin, 'songs-of-the-road.epub')
  const offers = [{ format: 'digital', price: 5 }]
  const choose = (currency: string) => call(admin, 'PUT', 'setup/offers', { offers, currency })
  expect((await choose('xxx')).status).toBe(422)
  const half = { offers: [{ format: 'digital', price: 5.5 }], currency: 'jpy' }
  expect((await call<{ fields: object }>(admin, 'PUT', 'setup/offers', half)).json.fields).toEqual({
    'offers.0.price': 'Amounts in JPY have no decimals.',
  })
  const chosen = await choose('eur')
  expect(chosen.json).toMatchObject({ offers, currency: { code: 'eur', locked: null } })
  expect(shop.services.settings.get().shop.currency).toBe('eur')
  const { rows } = await shop.services.database.pool.query(
    `select actor, detail from audit_log where action = 'settings.changed'`,
  )
  expect(rows).toEqual([{ actor: admin.email, detail: { currency: { from: 'usd', to: 'eur' } } }])

  await user.buy((await shop.product('digital')).id)
  await shop.services.database.pool.query('update purchases set is_test = false')
  const locked = { code: 'eur', locked: expect.stringContaining('has sold in it') }
  expect((await call(admin, 'GET', 'setup')).json.currency).toEqual(locked)
  expect((await choose('gbp')).json.code).toBe('settings.currency_fixed')
  expect((await choose('eur')).status).toBe(200)
  await shop.services.database.pool.query('truncate purchases cascade')
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
  expect((await choose('gbp')).json.code).toBe('setup.opened')
})

test('where books on paper are sent, and what that costs, is chosen with the prices', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const offers = [{ format: 'paperback', price: 12 }]
  const choose = (shipping: object) => call(admin, 'PUT', 'setup/offers', { offers, shipping })
  expect((await choose({ countries: [], price: 4 })).status).toBe(422)
  expect((await choose({ countries: ['NO'], asks_address: true })).status).toBe(422)
  expect((await choose({ countries: ['NO', 'SE'], price: 4.5 })).status).toBe(200)
  expect(shop.services.settings.get().shipping).toMatchObject({ countries: ['NO', 'SE'], price: 4.5 })
  expect((await call(admin, 'GET', 'setup/check')).json).toMatchObject({
    parcel: { countries: ['NO', 'SE'], min_price: 4.5, max_price: 4.5 },
  })
})

test('the time zone is chosen in the setup, by a name that the database knows too', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const choose = (time_zone: string) => call(admin, 'PUT', 'setup/time-zone', { time_zone })
  for (const unknown of ['Mars/Olympus', '+02:00', '', 'CET'])
    expect([unknown, (await choose(unknown)).status]).toEqual([unknown, 422])
  const chosen = { name: 'Europe/Berlin', is_chosen: true, variable: null }
  expect((await choose('Europe/Berlin')).json.time_zone).toEqual(chosen)
  expect(shop.services.settings.get().shop.time_zone).toBe('Europe/Berlin')
  await using fixed = await openTestShop({ env: { TIME_ZONE: 'Asia/Tokyo' }, hasWorkers: false })
  const other = await fixed.person({ role: 'admin' })
  const refused = await call(other, 'PUT', 'setup/time-zone', { time_zone: 'Europe/Berlin' })
  expect(refused.json.code).toBe('settings.fixed')
  const set = { name: 'Asia/Tokyo', is_chosen: true, variable: 'TIME_ZONE' }
  expect((await call(other, 'GET', 'setup')).json.time_zone).toEqual(set)
  await take(shop, admin, 'songs-of-the-road.epub')
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
  expect((await choose('Asia/Tokyo')).json.code).toBe('setup.opened')
})
