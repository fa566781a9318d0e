// The built site as browsers meet it: kept pages, files, encodings, policies.
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { book } from '#content/book.ts'
import type { Product } from '#contract/products.ts'
import { readConfig, type Config } from './config.ts'
import { createLog } from './log.ts'
import { createSite } from './site.ts'
import { ensureBuilt } from './site/build.ts'

beforeAll(() => ensureBuilt(), 120_000)

const product: Product = {
  id: '019a9b1c-0000-7000-8000-000000000001',
  name: 'A book',
  description: 'Words to keep.',
  price: 14.99,
  format: 'digital',
  is_digital: true,
  ships: false,
  cover_url: null,
  parts: [],
  holds: [],
}

type Shelf = { products: Product[] | Error; calls: number; wait?: Promise<void> }

async function openSite(
  shelf: Shelf = { products: [product], calls: 0 },
  siteUrl = 'https://shop.example',
  payments?: Config['payments'],
) {
  const site = createSite({
    config: { isDevelopment: false, siteUrl, payments },
    log: createLog('silent'),
    async listProducts() {
      shelf.calls += 1
      const { products } = shelf
      await shelf.wait
      if (products instanceof Error) throw products
      return products
    },
  })
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    site.app.request(path, { method, headers })
  const text = async (path: string) => (await get(path)).text()
  return { ...site, get, text, shelf }
}

/** For tests that only look. */
let unchanging: ReturnType<typeof openSite>

beforeAll(() => {
  unchanging = openSite()
})

test('the first answer has the products, and rendering happens once for all visitors', async () => {
  const { text, shelf } = await openSite()
  const pages = await Promise.all(Array.from({ length: 20 }, () => text('/')))
  expect(new Set(pages).size).toBe(1)
  expect(pages[0]).toContain('14.99')
  const { calls } = shelf
  await text('/')
  expect(shelf.calls).toBe(calls)
})

test('each encoding carries the same page, under an ETag of its own', async () => {
  const { get } = await unchanging
  const plain = await get('/')
  const br = await get('/', { 'accept-encoding': 'gzip, deflate, br, zstd' })
  const gzip = await get('/', { 'accept-encoding': 'br;q=0, gzip;q=0.5' })
  expect(br.headers.get('content-encoding')).toBe('br')
  expect(gzip.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  const page = Buffer.from(await plain.arrayBuffer())
  expect(brotliDecompressSync(await br.arrayBuffer()).equals(page)).toBe(true)
  expect(gunzipSync(await gzip.arrayBuffer()).equals(page)).toBe(true)
  expect(new Set([plain, br, gzip].map(({ headers }) => headers.get('etag'))).size).toBe(3)
  for (const { headers } of [plain, br, gzip]) expect(headers.get('vary')).toBe('accept-encoding')
})

test('a browser that has the page is told so', async () => {
  const { get } = await unchanging
  const etag = (await get('/')).headers.get('etag')!
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get('/', { 'if-none-match': known })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  }
  expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200)
})

test('HEAD answers as GET does, without the page', async () => {
  const { get } = await unchanging
  const head = await get('/', {}, 'HEAD')
  expect(head.status).toBe(200)
  expect(head.headers.get('etag')).toBe((await get('/')).headers.get('etag'))
  expect(await head.text()).toBe('')
})

test('the content policy allows exactly the scripts and styles that stand in the page', async () => {
  const { get } = await unchanging
  for (const path of ['/', '/preview', '/auth', '/dashboard', '/nowhere']) {
    const response = await get(path)
    const html = await response.text()
    const policy = response.headers.get('content-security-policy')!
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/)
    const inline = [
      ...html.matchAll(/<(?:style|script)(?![^>]*(?:src=|ld\+json))[^>]*>([^]*?)<\/(?:style|script)>/g),
    ]
    const hashes = inline.map(([, code]) => `'sha256-${createHash('sha256').update(code!).digest('base64')}'`)
    expect(hashes.length).toBeGreaterThan(1)
    expect(new Set(policy.match(/'sha256-[^']+'/g))).toEqual(new Set(hashes))
  }
})

test('with a test key every page says that no real money is taken; with a live one or none, no page does', async () => {
  const keyed = (key: string) =>
    readConfig({
      SITE_URL: 'https://shop.example',
      STRIPE_SECRET_KEY: key,
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    }).payments
  const says = async (payments?: Config['payments']) => {
    const { text } = await openSite(undefined, undefined, payments)
    const pages = await Promise.all(
      ['/', '/preview', '/auth', '/dashboard', '/admin', '/dashboard/receipts/1', '/nowhere'].map(text),
    )
    return pages.map((page) => page.includes('Test mode: no real money is taken'))
  }
  expect(new Set(await says(keyed('sk_test_x')))).toEqual(new Set([true]))
  expect(new Set(await says(keyed('sk_live_x')))).toEqual(new Set([false]))
  expect(new Set(await says())).toEqual(new Set([false]))
})

test('browsers are told to insist on https only where the shop has it', async () => {
  const secure = await openSite()
  const plain = await openSite(undefined, 'http://localhost:3000')
  expect((await secure.get('/')).headers.get('strict-transport-security')).toContain('max-age=')
  expect((await plain.get('/')).headers.get('strict-transport-security')).toBeNull()
})

test('unknown paths share one page, answered 404 and never 304', async () => {
  const { get } = await unchanging
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => get(`/nowhere/${index}?${index}`)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  expect(await answers[0]!.text()).toContain('Oops! Page not found')
  expect((await get('/x', { 'if-none-match': '*' })).status).toBe(404)
})

test('slashes too many, and capitals, lead to the page', async () => {
  const { get } = await unchanging
  for (const [path, place] of [
    ['/auth/?next=/Dashboard', '/auth?next=/Dashboard'],
    ['/Preview', '/preview'],
    ['/AUTH//', '/auth'],
    ['//', '/'],
    ['/Dashboard/Receipts/7/', '/dashboard/receipts/7'],
  ] as const) {
    const response = await get(path)
    expect([response.status, response.headers.get('location')], path).toEqual([308, place])
  }
  expect((await get('//preview/')).status).toBe(404)
})

test('a change of the catalogue shows on the next request', async () => {
  const { get, text, dropPages, shelf } = await openSite()
  const { headers } = await get('/')
  shelf.products = [{ ...product, price: 19.5 }]
  dropPages()
  expect(await text('/')).toContain('19.50')
  expect((await get('/')).headers.get('etag')).not.toBe(headers.get('etag'))
})

test('a change during rendering is not lost', async () => {
  const { text, dropPages, shelf } = await openSite()
  await text('/')
  const gate = Promise.withResolvers<void>()
  shelf.wait = gate.promise
  dropPages()
  const during = text('/')
  shelf.products = [{ ...product, price: 21 }]
  dropPages()
  gate.resolve()
  expect(await during).toContain('21.00')
  expect(await text('/')).toContain('21.00')
})

test('with the database away the last good page is served, and a fresh one once it is back', async () => {
  const { text, dropPages, shelf } = await openSite()
  await text('/')
  shelf.products = new Error('away')
  dropPages()
  expect(await text('/')).toContain('14.99')
  shelf.products = [{ ...product, price: 23 }]
  expect(await text('/')).toContain('23.00')
})

test('a shop that never had its products still has a page, and tries again', async () => {
  const { get, text, shelf } = await openSite({ products: new Error('away'), calls: 0 })
  const page = await get('/')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Loading products...')
  shelf.products = [product]
  expect(await text('/')).toContain('14.99')
})

test('built files are immutable by name, the rest is asked for again', async () => {
  const { get, text } = await unchanging
  const [script] = (await text('/')).match(/\/assets\/[^"']+\.js/)!
  const asset = await get(script, { 'accept-encoding': 'br' })
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect(asset.headers.get('content-encoding')).toBe('br')
  expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
  const icon = await get('/favicon.ico')
  expect(icon.headers.get('content-type')).toBe('image/x-icon')
  expect(icon.headers.get('cache-control')).not.toContain('immutable')
})

test('robots, sitemap and manifest speak of this address', async () => {
  const { get, text } = await unchanging
  expect(await text('/robots.txt')).toContain('Sitemap: https://shop.example/sitemap.xml')
  expect(await text('/sitemap.xml')).toContain('<loc>https://shop.example/preview</loc>')
  expect((await get('/manifest.webmanifest')).headers.get('content-type')).toBe('application/manifest+json')
  expect(await text('/')).toContain('<link rel="canonical" href="https://shop.example/"')
})

test('the first HTML tells whoever shares a page what it is, under both names', async () => {
  const { text } = await unchanging
  const tagsOf = async (path: string) => {
    const tags = (await text(path)).matchAll(
      /<meta (?:name|property)="((?:og|twitter):[^"]+)" content="([^"]*)"/g,
    )
    return Object.fromEntries(
      [...tags].map(([, name, content]) => [name, content!.replaceAll('&#x27;', "'")]),
    )
  }
  const { title, description } = book
  const home = {
    'og:type': 'book',
    'og:site_name': title,
    'og:title': title,
    'og:description': description,
    'og:url': 'https://shop.example/',
    'og:image': 'https://shop.example/social.png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': `The cover of ${title}`,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': 'https://shop.example/social.png',
    'twitter:image:alt': `The cover of ${title}`,
  }
  expect(await tagsOf('/')).toEqual(home)
  const preview = await tagsOf('/preview')
  expect(Object.keys(preview)).toEqual(Object.keys(await tagsOf('/')))
  expect(preview['twitter:title']).toMatch(new RegExp(`. · ${title}$`))
  expect(preview['og:url']).toBe('https://shop.example/preview')
  for (const name of ['title', 'description', 'image', 'image:alt'])
    expect(preview[`twitter:${name}`]).toBe(preview[`og:${name}`])
})

test('the first HTML has the book and an offer for each format, for search engines', async () => {
  const { text } = await unchanging
  const [, ld] = /<script type="application\/ld\+json"[^>]*>([^]*?)<\/script>/.exec(await text('/'))!
  expect(JSON.parse(ld!)).toMatchObject({
    '@type': 'Book',
    name: book.title,
    url: 'https://shop.example/',
    workExample: [{ name: product.name, offers: { price: '14.99', priceCurrency: 'USD' } }],
  })
})

test.each([
  '/assets/../../stamp',
  '/assets/..%2f..%2fstamp',
  '/%2e%2e/server/index.js',
  '/..\\server\\index.js',
  '/assets/%00',
  '//etc/passwd',
  '/.vite/manifest.json',
  '/favicon.ico.br',
])('nothing outside the site is served: %s', async (path) => {
  const { get } = await unchanging
  expect((await get(path)).status).toBe(404)
})

test('scripts wait for the first paint, but where the content comes with them', async () => {
  const { text } = await unchanging
  for (const path of ['/', '/preview', '/auth', '/nowhere']) {
    const page = await text(path)
    expect(page).toContain('<script type="text/plain" id="later">')
    expect(page).toMatch(/<link rel="later" href="\/assets\/entry\.client-/)
    expect(page).not.toMatch(/modulepreload"|type="module"/)
  }
  for (const path of ['/dashboard', '/dashboard/receipts/7', '/admin', '/admin/users']) {
    const page = await text(path)
    expect(page).toContain('<script type="module" async="">')
    expect(page).toContain('<link rel="modulepreload" fetchPriority="low"')
    expect(page).not.toContain('"later"')
  }
})
