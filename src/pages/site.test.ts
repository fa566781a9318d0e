// The built site as browsers fetch it: cached pages, files, encodings, addresses.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openSite, product, unchangingSite } from '#test/site.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

test('the first response has the products, and rendering happens once for all visitors', async () => {
  const { text, adminProducts } = await openSite()
  const pages = await Promise.all(Array.from({ length: 20 }, () => text('/')))
  expect(new Set(pages).size).toBe(1)
  expect(pages[0]).toContain('14.99')
  const { calls } = adminProducts
  await text('/')
  expect(adminProducts.calls).toBe(calls)
})

test('each encoding carries the same page, under an ETag of its own', async () => {
  const { get } = await unchangingSite()
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

test('a browser that has the page gets 304', async () => {
  const { get } = await unchangingSite()
  const etag = (await get('/')).headers.get('etag')!
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get('/', { 'if-none-match': known })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  }
  expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200)
})

test('HEAD answers as GET does, without the page', async () => {
  const { get } = await unchangingSite()
  const head = await get('/', {}, 'HEAD')
  expect(head.status).toBe(200)
  expect(head.headers.get('etag')).toBe((await get('/')).headers.get('etag'))
  expect(await head.text()).toBe('')
})

test('unknown paths share one page, answered 404 and never 304', async () => {
  const { get } = await unchangingSite()
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => get(`/nowhere/${index}?${index}`)),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]))
  expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  expect(await responses[0]!.text()).toContain('Oops! Page not found')
  expect((await get('/x', { 'if-none-match': '*' })).status).toBe(404)
})

test('slashes too many, and capitals, lead to the page', async () => {
  const { get } = await unchangingSite()
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
  const { get, text, dropPages, adminProducts } = await openSite()
  const { headers } = await get('/')
  adminProducts.products = [{ ...product, price: 19.5 }]
  dropPages()
  expect(await text('/')).toContain('19.50')
  expect((await get('/')).headers.get('etag')).not.toBe(headers.get('etag'))
})

test('a change during rendering is not lost', async () => {
  const { text, dropPages, adminProducts } = await openSite()
  await text('/')
  const gate = Promise.withResolvers<void>()
  adminProducts.wait = gate.promise
  dropPages()
  const during = text('/')
  adminProducts.products = [{ ...product, price: 21 }]
  dropPages()
  const after = text('/')
  gate.resolve()
  expect(await after).toContain('21.00')
  expect(await during).toContain('Get Your Copy Today')
  expect(await text('/')).toContain('21.00')
})

test('a change renders the home page at once and other pages when they are asked for', async () => {
  const { text, dropPages, adminProducts } = await openSite()
  const paths = ['/', '/preview', '/auth', '/dashboard', '/admin', '/nowhere']
  await Promise.all(paths.map(text))
  const { calls } = adminProducts
  dropPages()
  await text('/')
  expect(adminProducts.calls).toBe(calls + 1)
  await Promise.all(paths.map(text))
  expect(adminProducts.calls).toBe(calls + paths.length)
})

test('twenty changes in quick succession are two renderings of the home page', async () => {
  const { text, dropPages, adminProducts } = await openSite()
  await text('/')
  const { calls } = adminProducts
  const gate = Promise.withResolvers<void>()
  adminProducts.wait = gate.promise
  for (let price = 1; price <= 20; price += 1) {
    adminProducts.products = [{ ...product, price }]
    dropPages()
  }
  const shown = text('/')
  gate.resolve()
  expect(await shown).toContain('$20.00')
  expect(adminProducts.calls).toBe(calls + 2)
})

test('with the database away the last good page is served, and a fresh one once it is back', async () => {
  const { text, dropPages, adminProducts } = await openSite()
  await text('/')
  adminProducts.products = new Error('away')
  dropPages()
  expect(await text('/')).toContain('14.99')
  adminProducts.products = [{ ...product, price: 23 }]
  expect(await text('/')).toContain('23.00')
})

test('a shop that never had its products still has a page, and tries again', async () => {
  const { get, text, adminProducts } = await openSite({ products: new Error('away'), calls: 0 })
  const page = await get('/')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Loading products...')
  adminProducts.products = [product]
  expect(await text('/')).toContain('14.99')
})

test('a page that stays the same is sent in fewer bytes after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { get } = await openSite()
  const size = async () => Number((await get('/', { 'accept-encoding': 'br' })).headers.get('content-length'))
  const before = await size()
  await vi.advanceTimersByTimeAsync(61_000)
  await vi.waitUntil(async () => (await size()) < before, { timeout: 20_000 })
  const response = await get('/', { 'accept-encoding': 'br' })
  const html = brotliDecompressSync(await response.arrayBuffer()).toString()
  expect(html).toBe(await (await get('/')).text())
})

test('built files are immutable by name, the rest is asked for again', async () => {
  const { get, text } = await unchangingSite()
  const [script] = (await text('/')).match(/\/assets\/site-[^"' ]+\.js/)!
  const asset = await get(script, { 'accept-encoding': 'br' })
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect(asset.headers.get('content-encoding')).toBe('br')
  expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
  const icon = await get('/favicon.ico')
  expect(icon.headers.get('content-type')).toBe('image/x-icon')
  expect(icon.headers.get('cache-control')).not.toContain('immutable')
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
  const { get } = await unchangingSite()
  expect((await get(path)).status).toBe(404)
})
