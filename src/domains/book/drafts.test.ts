// The draft through the API: saved, published, restored, by several admins at once, in several processes.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { WorkerLimitError } from '#platform/bounded-worker.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop } from '#test/shop.ts'
import { createApp } from '../../app.ts'
import type { DraftState } from '#contract/book/book.ts'
import { noPages } from '#test/without-pages.ts'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { pino } from 'pino'
import { findLinkFault } from './link-faults.ts'
import { findWarnings } from './draft-warnings.ts'
import { openBookWork } from '#pages/book-work.ts'

const shop = await openTestShop()
afterAll(() => shop[Symbol.asyncDispose]())
const admin = await shop.person({ role: 'admin' })
const own = { ...sampleBook, rating: null }

async function call(method: string, path: string, body?: unknown) {
  const response = await admin.call(method, `/api/admin/book/${path}`, {
    ...(body !== undefined && { body }),
  })
  return { status: response.status, body: (await response.json()) as DraftState & { code: string } }
}

const read = async () => (await call('GET', 'draft')).body
const save = async (change: object, revision?: number) =>
  call('PUT', 'draft', { revision: revision ?? (await read()).revision, document: { ...own, ...change } })
const publish = async () => call('POST', 'publish', { revision: (await read()).revision })

async function titleFor({ services }: Pick<typeof shop, 'services'>) {
  return (await services.book.get()).shown.title
}

test('a draft is not shown until it is published, and then in every process', async () => {
  await using second = await openSecondShop(shop)
  expect((await save({ title: 'Own words' })).status).toBe(200)
  expect(await titleFor(shop)).toBe("Nine P's that Change Everything")
  const { status, body } = await publish()
  expect(status).toBe(200)
  expect(body).toMatchObject({ saved: null, published: { title: 'Own words' }, versions: [{ number: 1 }] })
  expect(await titleFor(shop)).toBe('Own words')
  await expect.poll(() => titleFor(second), { timeout: 1000 }).toBe('Own words')
  expect((await publish()).body.code).toBe('book.nothing_to_publish')
})

test('of ten admins who save at once one succeeds; the others get a conflict, also after a publication', async () => {
  const { revision } = await read()
  const saved = await Promise.all(
    Array.from({ length: 10 }, (_, at) => save({ title: `Title ${at}` }, revision)),
  )
  expect(saved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array<number>(9).fill(409),
  ])
  await publish()
  const late = await save({ title: 'From before' }, revision)
  expect([late.status, late.body.code]).toEqual([409, 'book.changed_elsewhere'])
})

test('of two admins who publish at once, one succeeds', async () => {
  const { body } = await save({ title: 'Published once' })
  const { versions } = await read()
  const both = await Promise.all([0, 1].map(() => call('POST', 'publish', { revision: body.revision })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await read()).versions).toHaveLength(versions.length + 1)
})

test('an earlier version becomes the draft again, and a draft can be discarded', async () => {
  await save({ title: 'To be discarded' })
  const { revision, published } = await read()
  expect((await call('POST', 'discard', { revision })).body).toMatchObject({
    saved: null,
    document: published,
  })
  const restored = await call('POST', 'restore', { revision: revision + 1, number: 1 })
  expect(restored.body).toMatchObject({ document: { title: 'Own words' }, published })
  const missing = await call('POST', 'restore', { revision: revision + 2, number: 99 })
  expect([missing.status, missing.body.code]).toEqual([404, 'book.version_not_found'])
})

test('a purchase keeps the refund period that was promised with it', async () => {
  const buyer = await shop.person()
  const { id: product_id } = await shop.product('paperback')
  const periodOf = async () => {
    const { id } = await buyer.buy(product_id)
    const receipt = await buyer.call('GET', `/api/purchases/${id}/receipt`)
    return ((await receipt.json()) as { refund_days: number }).refund_days
  }
  await save({})
  await publish()
  expect(await periodOf()).toBe(30)
  await save({ refund_days: 0 })
  await publish()
  expect(await periodOf()).toBe(0)
})

test('the draft’s page is for the admin’s session alone, and nothing in it runs', async () => {
  const response = await admin.call('POST', '/api/admin/book/preview', { body: {} })
  const { url } = (await response.json()) as { url: string }
  const page = await shop.call('GET', url)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain('sandbox allow-same-origin')
  expect((await shop.call('GET', `${url}x`)).status).toBe(404)
  await admin.call('POST', '/auth/v1/logout', { body: {} })
  expect((await shop.call('GET', url)).status).toBeGreaterThanOrEqual(400)
})

test('a chapter for the preview is taken from an EPUB that is stored, thirty times in ten minutes at most', async () => {
  const author = await shop.person({ role: 'admin' })
  const read = async <Sent>(path: string) =>
    (await (await author.call('GET', `/api/admin/book/files${path}`)).json()) as Sent
  const { ebooks } = await read<{ ebooks: { id: string }[] }>('')
  const [sample] = ebooks
  const { chapters } = await read<{ chapters: { title: string; text: string }[] }>(`/${sample!.id}`)
  const { text } = chapters.find(({ title }) => title.includes('Propitiation'))!
  expect(text.length).toBeGreaterThan(1000)
  expect(text).not.toMatch(/<[a-z]/)
  for (let read = 2; read <= 30; read += 1)
    expect((await author.call('GET', `/api/admin/book/files/${randomUUID()}`)).status).toBe(404)
  expect((await author.call('GET', `/api/admin/book/files/${sample!.id}`)).status).toBe(429)
})

test('a page of the draft that is not ready in time is refused in words', async () => {
  const author = await shop.person({ role: 'admin' })
  const asked = await author.call('POST', '/api/admin/book/preview', { body: {} })
  const { url } = (await asked.json()) as { url: string }
  const app = createApp(shop.services, {
    ...noPages,
    renderPage: async () => {
      throw new WorkerLimitError('time')
    },
  })
  const response = await app.request(url)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response.json()).toMatchObject({
    code: 'book.preview_not_ready',
    title: expect.stringMatching(/not ready in time.*shorten the text/),
  })
})

// Links are asked for on the internet alone; none of these tests leaves the machine.

test.each([
  'http://127.0.0.1/',
  'http://10.1.2.3:8080/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fd00::1]/',
  'http://2130706433/',
  'http://168.63.129.16/machine',
  'http://192.0.2.1/',
  'http://[2001:db8::1]/',
])('%s is not asked', async (href) => {
  expect(await findLinkFault(href)).toBe('leads into a network of its own')
})

test.each(['93.184.216.34', '2606:4700::1111'])('%s is asked', async (address) => {
  const family = address.includes(':') ? 6 : 4
  const resolve = async () => [{ address, family } as const]
  const answer = (status: number) => findLinkFault('http://books.example/', resolve, async () => status)
  expect(await answer(200)).toBeUndefined()
  expect(await answer(404)).toBe('leads to a page that does not exist')
})

test('a name without an address is reported as not reached', async () => {
  expect(await findLinkFault('http://no-such-name.invalid/')).toBe('could not be reached')
})

test('a server of this machine gets no request, whatever its name', async () => {
  const asked: (string | undefined)[] = []
  await using server = createServer(({ url }, response) => {
    asked.push(url)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
  expect(await findLinkFault(`http://books.example:${port}/`, resolve)).toBe(
    'leads into a network of its own',
  )
  expect(asked).toEqual([])
})

test('a warning says in which part of the book its link stands', async () => {
  const at = (name: string) => `[a link](http://127.0.0.1/${name})`
  const terms = { ...sampleBook.legal.pages.terms, is_shown: true, title: 'Terms', text: at('terms') }
  const found = await findWarnings(
    { log: pino({ enabled: false }), bookReader: openBookWork() },
    {
      ...sampleBook,
      author: { ...sampleBook.author, biography: at('author') },
      invitation: { title: 'Come in', text: at('invitation') },
      text: { title: 'Mine', text: at('text') },
      preview: { chapters: [{ number: 1, title: 'First', text: `- ${at('chapter')}` }], after: '' },
      questions: [{ question: '', answer: at('answer') }],
      legal: { ...sampleBook.legal, pages: { ...sampleBook.legal.pages, terms } },
    },
  )
  const links = found.filter(({ says }) => says.startsWith('The link'))
  expect(links.map(({ field, says }) => [field, says.match(/ in (.*) leads/)?.[1]])).toEqual([
    ['author.biography', 'the author’s biography'],
    ['invitation.text', 'the invitation'],
    ['text.text', 'your own text'],
    ['preview.chapters.0.text', 'the preview’s chapter 1 “First”'],
    ['questions.0.answer', 'the answer to question 1'],
    ['legal.pages.terms.text', 'the legal page “Terms”'],
  ])
})

test('a quotation whose permission is not noted is named', async () => {
  const quote = { text: 'Good.', by: 'Ruth', permission: 'By email, 3 May' }
  const found = await findWarnings(
    { log: pino({ enabled: false }), bookReader: openBookWork() },
    {
      ...sampleBook,
      quotes: [quote, { ...quote, permission: '' }, { text: 'Fine.', by: '', permission: '' }],
    },
  )
  expect(found.filter(({ field }) => field.startsWith('quotes'))).toEqual([
    { field: 'quotes.1.permission', says: 'Who allowed the quotation of Ruth is not noted.' },
    { field: 'quotes.2.permission', says: 'Who allowed quotation 3 is not noted.' },
  ])
})

test('what stays English in a book of another language is listed before it is published', async () => {
  const { legal } = sampleBook
  const terms = { ...legal.pages.terms, is_shown: true }
  const imprint = { ...legal.pages.imprint, is_shown: true, title: 'Impressum', text: 'Am See 1, Wien' }
  const document = {
    ...sampleBook,
    claims: { ...sampleBook.claims, refund: '', ships: 'Free shipping for books on paper' },
    legal: {
      ...legal,
      pages: { ...legal.pages, terms, imprint },
      consent: { ...legal.consent, is_asked: true },
    },
  }
  const services = { log: pino({ enabled: false }), bookReader: openBookWork() }
  const english = async (language: string) =>
    (await findWarnings(services, { ...document, language })).filter(({ says }) => says.includes('English'))
  expect(await english('de')).toEqual([
    {
      field: 'legal.pages.terms.text',
      says: 'The page “Terms” stays English: its words are the template’s.',
    },
    {
      field: 'legal.consent.text',
      says: 'What buyers agree to stays English: its words are the template’s.',
    },
    { field: 'claims.ships', says: '“Free shipping for books on paper” stays English.' },
  ])
  expect(await english('en-GB')).toEqual([])
  terms.text = 'Ich verkaufe Bücher.\n\n{money_back}\n\n{withdrawal}'
  expect((await english('de')).map(({ says }) => says)).toContain(
    'The page “Terms” is in English where the shop fills in {money_back}, {withdrawal}.',
  )
  document.refund_days = 0
  terms.text = 'Ich verkaufe Bücher.\n\n{money_back}'
  expect((await english('de')).filter(({ field }) => field.startsWith('legal.pages'))).toEqual([])
})
