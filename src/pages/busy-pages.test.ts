// Many pages at once that are made for one request each. Needs the build.
import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { buyPattern } from '#contract/paths.ts'
import { publishedBook } from '#domains/book/published-book.ts'
import { WorkerLimitError } from '#platform/bounded-worker.ts'
import type { Content } from '#platform/http/content.ts'
import { postForm, withPages } from '#test/forms.ts'
import { openLogLines } from '#test/log-lines.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSite, product } from '#test/site.ts'
import { ensureBuilt } from '#tools/build.ts'
import { openBookWork } from './book-work.ts'

beforeAll(() => ensureBuilt())

/** Together 173 kB, as a cookbook or a book of poems has. */
const chapters = Array.from({ length: 5 }, (_, at) => ({
  number: at + 1,
  title: `Chapter ${at + 1}`,
  text: '- Two eggs, a cup of flour, and some salt to taste\n'.repeat(680),
}))
const longBook = {
  ...sampleBook,
  title: 'A book of lists',
  rating: null,
  preview: { ...sampleBook.preview, chapters },
}

async function publish(shop: TestShop, document: object): Promise<void> {
  const author = await shop.person({ role: 'admin' })
  const draft = await author.call('PUT', '/api/admin/book/draft', { body: { revision: 0, document } })
  const published = await author.call('POST', '/api/admin/book/publish', { body: { revision: 1 } })
  expect([draft.status, published.status]).toEqual([200, 200])
}

test('a hundred and twenty visitors at once all see the page of a product, with a long book, and a form beside them', async () => {
  const { log, lines } = openLogLines('warn')
  await using shop = await openTestShop({ openPages: withPages, env: { TRUST_PROXY: '1' }, log })
  await publish(shop, longBook)
  const { id } = await shop.product('digital')
  const open = async (at: number) => {
    const response = await shop.call('GET', `/buy/${id}`, { headers: { 'x-forwarded-for': `10.0.0.${at}` } })
    return [response.status, (await response.text()).includes('A book of lists')]
  }
  const pages = Array.from({ length: 120 }, (_, at) => open(at))
  const form = postForm(shop, '/withdraw', { step: 'change', name: 'Ruth' })
  const seen = await Promise.all(pages)
  expect(seen.filter(([status, isWhole]) => status !== 200 || !isWhole)).toEqual([])
  expect(await (await form).text()).toContain('Ruth')
  expect(lines).toEqual([])
})

/** A site whose pages wait, as for the database, until `go`; of each address one is rendered. */
async function openWaitingSite(document = sampleBook) {
  const gate = Promise.withResolvers<void>()
  const work = openBookWork()
  const rendered: Parameters<typeof work.renderContent>[0][] = []
  const briefs: unknown[] = []
  const contents: Content[] = []
  const byUrl = new Map<string, Promise<Content>>()
  const site = await openSite({
    products: [product],
    calls: 0,
    book: await publishedBook(document),
    bookReader: {
      ...work,
      renderContent: async (page) => {
        if (!('brief' in page)) return work.renderContent(page)
        rendered.push(page)
        await gate.promise
        const rendering = byUrl.get(page.url) ?? work.renderContent(page)
        byUrl.set(page.url, rendering)
        contents.push(await rendering)
        return rendering
      },
      readBriefly: async (read) => {
        briefs.push(read)
        return work.readBriefly(read)
      },
    },
  })
  const app = new Hono()
    .all('/buy/:product', (c) => site.answer(c, buyPattern, {}))
    .post('/contact', (c) => site.answer(c, '/', { form: { action: '/contact', values: { name: 'Ruth' } } }))
  const ask = async (path = '/buy/x?code="A"', init: RequestInit = {}) => app.request(path, init)
  return { ask, go: () => gate.resolve(), rendered, briefs, contents }
}

test('what is more than four pages and two hundred that wait is refused by a page that nothing renders', async () => {
  const { ask, go, rendered } = await openWaitingSite()
  const pages = Array.from({ length: 203 }, () => ask())
  const last = ask()
  await expect.poll(() => rendered.length).toBe(4)
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '20'])
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'self'")
  const html = await refused.text()
  expect(html).toContain('The shop is briefly unavailable. Please try again in a moment.')
  expect(html).toContain('<a href="/buy/x?code=%22A%22">Try again</a>')

  const form = ask('/contact', { method: 'POST' })
  const displaced = await last
  expect(displaced.status).toBe(503)
  expect(rendered).toHaveLength(4)
  go()
  expect((await form).status).toBe(200)
  expect(new Set((await Promise.all(pages)).map(({ status }) => status))).toEqual(new Set([404]))
  // The four that were under way; the form came next.
  expect(new URL(rendered[4]!.url).pathname).toBe('/')
})

test('where the thread for long books is busy the page is refused, and other limits of it are failures', async () => {
  const work = openBookWork()
  let limit: WorkerLimitError['limit'] = 'queue'
  const site = await openSite({
    products: [product],
    calls: 0,
    bookReader: {
      ...work,
      renderContent: async (page) => {
        if ('brief' in page) throw new WorkerLimitError(limit)
        return work.renderContent(page)
      },
    },
  })
  const failures: Error[] = []
  const app = new Hono()
    .get('/buy/:product', (c) => site.answer(c, buyPattern, {}))
    .onError((error, c) => {
      failures.push(error)
      return c.text('', 500)
    })
  expect((await app.request('/buy/x')).status).toBe(503)
  expect(failures).toEqual([])
  for (limit of ['time', 'cpu', 'memory'] as const) expect((await app.request('/buy/x')).status).toBe(500)
  expect(failures).toHaveLength(3)
})

test('a page for one request takes neither chapters nor legal pages, and the book is read once for all of them', async () => {
  const { ask, go, rendered, briefs } = await openWaitingSite({
    ...longBook,
    author: { ...sampleBook.author, biography: '- a\n'.repeat(4_000) },
  })
  go()
  for (const path of ['/buy/a', '/buy/b', '/buy/c']) expect((await ask(path)).status).toBe(404)
  const home = await (await ask('/contact', { method: 'POST' })).text()
  const sizes = rendered.map((page) => JSON.stringify(page).length)
  expect(Math.max(...sizes.slice(0, 3))).toBeLessThan(JSON.stringify(sampleBook).length)
  expect(rendered.every((page) => 'brief' in page)).toBe(true)
  expect(briefs).toHaveLength(1)
  // The home page has its texts all the same.
  expect(home.split('<li').length).toBeGreaterThan(4_000)
  expect(home).toContain('value="Ruth"')
})

test.each([
  ['br, gzip', 'br'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['identity', null],
  ['', null],
])('a page for one request is compressed for its client alone: %s', async (accepted, encoding) => {
  const { ask, go, contents } = await openWaitingSite()
  go()
  const response = await ask('/buy/x', { headers: { 'accept-encoding': accepted } })
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(contents.flatMap(({ variants }) => variants.map((each) => each.encoding))).toEqual(
    encoding === null ? [] : [encoding],
  )
})

test('a network opens six hundred such pages in ten minutes, and the page that refuses more is not rendered', async () => {
  await using shop = await openTestShop({ openPages: withPages, env: { TRUST_PROXY: '1' } })
  const headers = { 'x-forwarded-for': '203.0.113.7', 'sec-fetch-site': 'same-origin' }
  const count = (hits: number) =>
    shop.services.database.pool.query(
      `insert into rate_limits (key, hits, window_start) values ('pages:ip:203.0.113.7', $1, now())
        on conflict (key) do update set hits = excluded.hits`,
      [hits],
    )
  await count(599)
  const open = (path: string) => shop.call('GET', path, { headers })
  expect((await open('/buy/digital')).status).toBe(200)
  const id = crypto.randomUUID()
  const refused = await Promise.all([
    ...['/buy/digital', `/purchase/${id}?session_id=cs_1`, '/withdraw/received?of=a', '/emails/abc'].map(
      open,
    ),
    ...['/buy/digital', '/withdraw', `/purchase/${id}/download`, `/purchase/${id}/refund`].map((path) =>
      postForm(shop, path, {}, headers),
    ),
    ...['/contact', '/find-purchase', `/tell-me/${id}`].map((path) => postForm(shop, path, {}, headers)),
    postForm(shop, '/emails/abc', { has_editions: 'false' }, headers),
  ])
  for (const response of refused) {
    const html = await response.text()
    expect([response.url, response.status]).toEqual([response.url, 429])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(500)
    expect(html).toContain('<h1>Too many attempts. Please try again in 10 minutes.</h1>')
  }
  // Pages from memory, other networks, and a mail program that unsubscribes are not refused.
  for (const path of ['/', '/preview', `/purchase/${id}`])
    expect([path, (await open(path)).status]).toEqual([path, 200])
  expect((await shop.call('GET', '/buy/digital')).status).toBe(200)
  const unsubscribed = await postForm(shop, '/emails/abc', { 'List-Unsubscribe': 'One-Click' }, headers)
  expect(unsubscribed.status).not.toBe(429)
})
