// The notice on the legal guarantee: what is taken as it, how it is served, how long it is stored, and what Today says.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { legalPages } from '#content/legal-pages.ts'
import { noticeLanguage, noticeUrl, type GuaranteeNotice } from '#contract/orders/eu-paper.ts'
import type { Today } from '#contract/overview/today.ts'
import { readDocument } from '#domains/book/published-book.ts'
import { sweepUnusedPictures } from '#domains/book/unused-pictures.ts'
import { readEuPaper } from '#domains/orders/eu-paper.ts'
import { openUploadReader } from '#domains/files/ebook-reader.ts'
import { sampleBook } from '#content/sample-book.ts'
import { pictures } from '#tables/files.ts'
import { openGuestShop } from '#test/guests.ts'
import { filledBlanks, publishBook } from '#test/legal.ts'
import { paint } from '#test/pictures.ts'
import { openOwnShop, saveGroup } from '#test/settings.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'
import type { Person } from '#test/users.ts'
import { listShopFiles } from '#domains/backup/backup-tables.ts'
import { saveNotice } from './guarantee-notice.ts'

const place = '/api/admin/settings/shipping/notice'
const blue = '#0b4f9e'

async function bring(shop: TestShop, admin: Person, content: Buffer, language = 'en') {
  const upload_id = await upload(shop, admin, content, 'notice')
  const response = await admin.call('PUT', place, { body: { language, upload_id } })
  const body = (await response.json()) as { notice?: GuaranteeNotice; code?: string; detail?: string }
  return { status: response.status, ...body }
}

const svg = (inner = `<rect width="10" height="10" fill="${blue}"/>`, more = '') =>
  Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 595.28 841.89"${more}><style>.a{fill:${blue}}</style>${inner}</svg>\n`,
  )

test('the Commission’s file is served as it is, and an SVG can run nothing', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const paper = paint({ width: 1654, height: 2339, color: blue })
  const files: [content: Buffer, type: string, size: [number, number]][] = [
    [await paper.clone().png().toBuffer(), 'image/png', [1654, 2339]],
    [await paper.clone().jpeg().toBuffer(), 'image/jpeg', [1654, 2339]],
    [svg(), 'image/svg+xml', [595, 842]],
    [
      svg('<a xlink:href="https://europa.eu"><path/></a><image xlink:href="data:image/png;base64,AA"/>'),
      'image/svg+xml',
      [595, 842],
    ],
  ]
  for (const [content, type, size] of files) {
    const { status, notice } = await bring(shop, admin, content)
    expect([status, notice?.width, notice?.height]).toEqual([200, ...size])
    const response = await shop.call('GET', noticeUrl(notice!))
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none';.*sandbox$/)
    expect(policy).not.toContain('script')
  }
})

test('what is no such file is refused in words', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const own = '<!DOCTYPE svg [<!ENTITY x "y">]>'
  const refused: [content: Buffer, says: RegExp][] = [
    [Buffer.from('%PDF-1.7 …'), /This is a PDF/],
    [Buffer.from('PK\u0003\u0004…'), /package. Please unpack it/],
    [Buffer.from('<html><script>alert(1)</script></html>'), /^Please choose the SVG/],
    [
      Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
      /^Please choose the SVG/,
    ],
    [Buffer.from('<svg viewBox="0 0 10 10"/>'), /^Please choose the SVG/],
    [Buffer.from('\0'), /^Please choose the SVG/],
    [Buffer.from(svg().toString('utf8').replace('595.28', '1e300')), /^Please choose the SVG/],
    [svg('<script>alert(1)</script>'), /holds a program/],
    [svg('<x:Script xmlns:x="http://www.w3.org/2000/svg"/>'), /holds a program/],
    [svg('', ' onload="alert(1)"'), /holds a program/],
    [svg('<a xlink:href=" javascript:alert(1)"/>'), /holds a program/],
    [svg('<image href="https://evil.example/x.png"/>'), /shows parts of another file/],
    [svg('<use xlink:href="other.svg#a"/>'), /shows parts of another file/],
    [Buffer.from(own + svg().toString('utf8').replace(/^.*\n/, '')), /document type of its own/],
    [svg('<g>'), /damaged/],
    [Buffer.concat([svg(), Buffer.alloc(2 * 1024 * 1024, ' ')]), /too large/],
    [Buffer.from(svg('<path fill="#231f20"/>').toString('utf8').replaceAll(blue, '#fff')), /black and white/],
    [await paint({ width: 1654, height: 2339, color: '#231f20' }).png().toBuffer(), /black and white/],
    [await paint({ width: 300, height: 424, color: blue }).png().toBuffer(), /only 300 pixels wide/],
    [
      (await paint({ width: 1654, height: 2339 }).png().toBuffer()).subarray(0, 300),
      /damaged|complete|opened/,
    ],
  ]
  for (const [content, says] of refused) {
    const { status, code, detail } = await bring(shop, admin, content)
    expect([status, code, detail]).toEqual([422, 'uploads.not_a_picture', expect.stringMatching(says)])
  }
  expect(await shop.services.db.$count(pictures)).toBe(0)
  const unknown = await admin.call('PUT', place, { body: { language: 'ja', upload_id: '0'.repeat(32) } })
  expect(unknown.status).toBe(422)
})

test('an SVG is read within the limits of uploads, and what is not read in time is not lost', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const actor = { id: admin.id, email: admin.email, ip: null }
  await using closing = new AsyncDisposableStack()
  const uploadReader = closing.adopt(openUploadReader({ taskMs: 1 }), (reader) => reader.close())
  const notice = { language: 'en', upload_id: await upload(shop, admin, svg(), 'notice.svg') } as const
  await expect(saveNotice({ ...shop.services, uploadReader }, actor, notice)).rejects.toMatchObject({
    code: 'uploads.timed_out',
    status: 503,
  })
  await saveNotice(shop.services, actor, notice)
  expect(shop.services.settings.get().shipping.notices.en?.file).toBe('notice.svg')
})

test('a notice is stored with the settings, in the backup, and until a day after it was replaced', async () => {
  await using shop = await openOwnShop()
  const { admin, services } = shop
  const first = await bring(shop, admin, svg())
  const others = await Promise.all(['de', 'fr'].map((language) => bring(shop, admin, svg(), language)))
  expect(others.map(({ status }) => status)).toEqual([200, 200])
  const { notices } = services.settings.get().shipping
  expect(Object.keys(notices).toSorted()).toEqual(['de', 'en', 'fr'])
  const files = async () =>
    (await listShopFiles(services.database.pool)).map(({ name, label }) => [name, label])
  const file = `pictures/${first.notice!.id}/notice.svg`
  expect(await files()).toContainEqual([file, 'the notice on the legal guarantee'])

  // A form that was open meanwhile knows nothing of notices, and leaves them.
  const response = await admin.call('GET', '/api/admin/settings/shipping')
  expect(await response.json()).toMatchObject({
    revision: 0,
    values: expect.not.objectContaining({ notices: {} }),
  })
  expect(await saveGroup(admin, { revision: 0, values: { price: 5 } }, 'shipping')).toEqual({ status: 200 })
  expect(services.settings.get().shipping.notices).toEqual(notices)
  expect((await saveGroup(admin, { revision: 1, values: { notices: {} } }, 'shipping')).status).toBe(422)

  await bring(shop, admin, svg('<path/>'))
  const sweepADayLater = async () => {
    await sweepUnusedPictures(services)
    const clock = () => new Date(Date.now() + 25 * 3_600_000)
    await sweepUnusedPictures({ ...services, clock })
  }
  await sweepADayLater()
  expect((await files()).map(([name]) => name)).not.toContain(file)
  expect(await services.db.$count(pictures)).toBe(3)
  expect((await admin.call('DELETE', place, { body: { language: 'en' } })).status).toBe(200)
  await sweepADayLater()
  expect(await services.db.$count(pictures)).toBe(2)
  const details = (await shop.events()).map(({ subject, detail }) => [subject, detail])
  expect(details[0]).toEqual(['shipping', { notice_en: 'set' }])
  expect(details.at(-1)).toEqual(['shipping', { notice_en: 'removed' }])
})

test('two numbers of days are given both or not at all, the smaller first', async () => {
  await using shop = await openOwnShop()
  const save = (min: unknown, max: unknown) =>
    saveGroup(
      shop.admin,
      { revision: 0, values: { delivery_days_min: min, delivery_days_max: max } },
      'shipping',
    )
  expect((await save(3, null)).fields).toEqual({ delivery_days_max: 'Please fill in both numbers, or none.' })
  expect((await save(null, 3)).fields).toEqual({ delivery_days_min: 'Please fill in both numbers, or none.' })
  expect((await save(5, 3)).fields).toEqual({
    delivery_days_max: 'This cannot be less than the other number.',
  })
  for (const wrong of [0, 1.5, 121, '3']) expect((await save(wrong, 30)).status).toBe(422)
  expect(await save(3, 3)).toEqual({ status: 200 })
})

test('Today asks for what a book on paper lacks in the European Union, until all is there', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const lacks = async () =>
    ((await (await admin.call('GET', '/api/admin/today')).json()) as Today).eu_paper_lacks
  expect(await lacks()).toEqual([])
  const save = (revision: number, values: object) => saveGroup(admin, { revision, values }, 'shipping')
  await save(0, { countries: ['US', 'GB'] })
  expect(await lacks()).toEqual([])
  await save(1, { countries: ['US', 'NO'] })
  expect(await lacks()).toEqual(['notice', 'maker', 'delivery_time'])
  await save(2, { delivery_days_min: 2, delivery_days_max: 4 })
  const blanks = { ...filledBlanks, address: '' }
  await publishBook(admin, { language: 'de-AT', legal: { ...legalPages, blanks } })
  await bring(shop, admin, svg(), 'en')
  expect(await lacks()).toEqual(['notice', 'maker'])
  await bring(shop, admin, svg(), 'de')
  await publishBook(admin, { legal: { ...legalPages, blanks: filledBlanks } })
  expect(await lacks()).toEqual([])
})

test('maker and notice are shown where an own book takes money and is sent into the European Union, else not', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await saveGroup(admin, { revision: 0, values: { countries: ['US', 'DE'] } }, 'shipping')
  const { services } = shop
  const { products } = await services.catalogue.get()
  const book = { is_own: true, document: { ...sampleBook, legal: { ...legalPages, blanks: filledBlanks } } }
  const own = readEuPaper(services, book, products)
  // The seller stands in for a maker who is not named.
  expect(own).toMatchObject({
    maker: 'A. *Seller* & Co_, 1 Some Street, 12345 Town, shop@example.com',
    notice: null,
  })
  expect(readEuPaper(services, { ...book, is_own: false }, products)).toBeNull()
  expect(
    readEuPaper(
      services,
      book,
      products.filter(({ ships }) => !ships),
    ),
  ).toBeNull()
  const settings = {
    get: () => ({
      ...services.settings.get(),
      shipping: { ...services.settings.get().shipping, countries: ['GB', 'US'] },
    }),
  }
  expect(readEuPaper({ settings }, book, products)).toBeNull()
  await using free = await openTestShop({ hasWorkers: false })
  expect(readEuPaper(free.services, book, products)).toBeNull()
})

test('a stored book without maker is read, and a page in a language without a notice shows the English one', () => {
  const { maker: _maker, eu_person: _person, ...legal } = legalPages
  expect(readDocument({ ...sampleBook, legal }).legal).toMatchObject({ maker: '', eu_person: '' })
  expect(['de', 'pt-BR', 'EN-us', 'ja', ''].map(noticeLanguage)).toEqual(['de', 'pt', 'en', 'en', 'en'])
})
