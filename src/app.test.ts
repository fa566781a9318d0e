// Rules of every response: how a refusal looks, what a bug tells, which headers all of them carry.
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { problemDocument } from '#contract/problems.ts'
import { openPaidShop } from '#test/paying.ts'
import { openTestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { createApp } from './app.ts'
import { createLog } from '#platform/log.ts'
import { noPages } from '#test/without-pages.ts'

test('a refusal is a problem document, whatever was wrong', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const json = { 'content-type': 'application/json' }
  const message = { name: 'A', email: 'a@example.com', subject: 'S', message: 'M' }
  const cases: [
    code: string,
    status: number,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ][] = [
    ['request.not_found', 404, '/api/nothing', {}],
    ['request.malformed', 400, '/api/contact', '{"name":'],
    ['request.malformed', 400, '/api/contact', '', json],
    ['request.unsupported_type', 415, '/api/contact', 'name=A', { 'content-type': 'text/plain' }],
    ['request.invalid', 422, '/api/contact', undefined],
    ['request.too_large', 413, '/api/contact', { ...message, message: 'x'.repeat(65_536) }],
    ['request.invalid', 422, '/api/contact', { ...message, email: 'a' }],
    ['contact.not_accepted', 422, '/api/contact', { ...message, website: 'spam' }],
    ['access.signed_out', 401, '/api/purchases', {}],
  ]
  for (const [code, status, path, body, headers = {}] of cases) {
    const response = await shop.call('POST', path, { body, headers })
    expect([code, response.status]).toEqual([code, status])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    const document = problemDocument.parse(await response.json())
    expect(document).toMatchObject({ code, status, type: `urn:lectern:problem:${code}` })
    expect(document.detail).not.toBe('')
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
  }
})

test('what is no way to call a page is refused like any other call', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const response = await shop.call('POST', '/', { body: {} })
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
})

function openLog() {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { log: createLog('info', sink), lines }
}

test('a bug tells the caller a number only, under which the log has all of it, and no secret', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const { services } = shop
  const { log, lines } = openLog()
  const handle = () => {
    throw new Error('the cellar is full of water')
  }
  const secret = {
    ...services.secret,
    key(): never {
      throw new Error('the key is lost')
    },
  }
  const app = createApp({ ...services, log, secret }, { ...noPages, handle })
  const response = await app.request('/api-like')
  expect(response.status).toBe(500)
  const words = await response.text()
  expect(words).not.toMatch(/cellar|\.ts:/)
  const { code, request_id } = problemDocument.parse(JSON.parse(words))
  expect(code).toBe('server.bug')
  expect(lines).toMatchObject([
    { request_id, route: 'unknown', err: { message: 'the cellar is full of water' } },
  ])
  expect((await app.request('/api/files/a.link')).status).toBe(500)
  expect(lines[1]).toMatchObject({ route: '/api/files/:token', err: { message: 'the key is lost' } })
})

test('what is away is a warning with its reason, without a stack and without what was asked', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { log, lines } = openLog()
  const handle = () => {
    throw new Error("Failed query: select 'ann@example.com'", {
      cause: new Error('Connection terminated unexpectedly'),
    })
  }
  const app = createApp({ ...shop.services, log }, { ...noPages, handle })
  const user = await shop.person()
  const { id: product_id } = await shop.product('digital')
  stripe.fail(3)
  const refused = await app.request('/api/purchases', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${user.token}` },
    body: JSON.stringify({ product_id }),
  })
  expect([refused.status, (await app.request('/a-page')).status]).toEqual([503, 503])
  const { request_id } = problemDocument.parse(await refused.json())
  expect(lines).toMatchObject([
    { level: 'warn', code: 'payments.unavailable', reason: 'Something went wrong.', request_id },
    { level: 'warn', count: 1, reason: 'Connection terminated unexpectedly' },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/stack|ann@example/)
})

test('the OpenAPI document names every documented route, and where it is', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const document = (await (await shop.call('GET', '/api/openapi.json')).json()) as {
    openapi: string
    servers: unknown
    paths: Record<string, object>
  }
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: `${shop.url}/api` }])
  const isAdminPath = (path: string) => path.startsWith('/admin/')
  expect(Object.keys(document.paths).filter(isAdminPath).length).toBeGreaterThan(20)
  expect(
    Object.keys(document.paths)
      .filter((path) => !isAdminPath(path))
      .toSorted(),
  ).toEqual([
    '/account',
    '/account/address-link',
    '/account/data',
    '/account/erasure',
    '/account/letters',
    '/account/mail-choices',
    '/account/new-address',
    '/account/sessions',
    '/account/sessions/{id}',
    '/book/chapters',
    '/book/legal',
    '/contact',
    '/discounts/check',
    '/excerpt',
    '/excerpt/download',
    '/excerpt/letters',
    '/excerpt/show',
    '/gifts/open',
    '/gifts/show',
    '/guest/purchases',
    '/guest/purchases/{id}/address',
    '/guest/purchases/{id}/download',
    '/guest/purchases/{id}/link',
    '/guest/purchases/{id}/receipt',
    '/guest/purchases/{id}/refund',
    '/guest/purchases/{id}/refund/end',
    '/guest/purchases/{id}/return',
    '/guest/purchases/{id}/settle',
    '/guest/receipts',
    '/letters',
    '/letters/confirm',
    '/letters/refuse',
    '/letters/show',
    '/mail-choices/{token}',
    '/mail-choices/{token}/letters/end',
    '/me',
    '/me/proof',
    '/moved-purchases/objection',
    '/products',
    '/products/{id}/waitlist',
    '/purchases',
    '/purchases/{id}/address',
    '/purchases/{id}/download',
    '/purchases/{id}/editions',
    '/purchases/{id}/gift',
    '/purchases/{id}/gift/mails',
    '/purchases/{id}/receipt',
    '/purchases/{id}/refund',
    '/purchases/{id}/settle',
    '/release-waitlist/confirm',
    '/release-waitlist/end',
    '/release-waitlist/show',
    '/setup',
    '/setup/link',
    '/setup/restore/open',
    '/setup/restore/start',
    '/setup/restore/state',
    '/shipping',
    '/subscriptions/{token}',
    '/subscriptions/{token}/end',
    '/withdrawals',
    '/withdrawals/look',
    '/withdrawals/proof',
  ])
})

test('the OpenAPI document is made once, sent compressed, and not sent again to a client that has it', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const ask = (headers: Record<string, string> = {}) => shop.call('GET', '/api/openapi.json', { headers })
  const first = await ask({ 'accept-encoding': 'br' })
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'application/json',
    'content-encoding': 'br',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  const plain = await ask({ 'accept-encoding': 'identity' })
  expect(await plain.json()).toEqual(await first.json())
  const etag = first.headers.get('etag')!
  const again = await ask({ 'accept-encoding': 'br', 'if-none-match': etag })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])

  const before = process.cpuUsage()
  for (let count = 0; count < 50; count += 1) await (await ask()).arrayBuffer()
  const { user } = process.cpuUsage(before)
  // Made anew each time it took 10 s of the processor for fifty.
  expect(user / 1000).toBeLessThan(2_000)
})

test('health and readiness respond to GET and HEAD, whatever the query', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  for (const path of ['/api/health', '/api/ready', '/api/ready?now=1']) {
    const response = await shop.call('GET', path)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
    expect(response.headers.get('cache-control')).toBe('no-store')
    const head = await shop.call('HEAD', path)
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
})

test('without its database the server lives, but is not ready', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const { services } = shop
  const query = () => Promise.reject(new Error('away'))
  const database = {
    ...services.database,
    pool: Object.assign(Object.create(services.database.pool), { query }),
  }
  const app = createApp({ ...services, database }, noPages)
  expect((await app.request('/api/health')).status).toBe(200)
  const response = await app.request('/api/ready')
  expect([response.status, await response.json()]).toEqual([503, { status: 'the database is away' }])
})

test('every kind of response insists on https where the shop has it, and only there', async () => {
  await using plain = await openTestShop({ isEmpty: true })
  expect((await plain.call('GET', '/api/products')).headers.get('strict-transport-security')).toBeNull()
  await using shop = await openTestShop({ env: { SITE_URL: 'https://shop.example' } })
  const admin = await shop.person({ role: 'admin' })
  const asked: [method: string, path: string, headers?: Record<string, string>][] = [
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/api/products'],
    ['GET', '/api/health'],
    ['GET', '/api/ready'],
    ['GET', `/${'a'.repeat(5_000)}`],
    ['GET', '/api/openapi.json'],
    ['GET', '/api/nothing'],
    ['GET', '/api/files/a.b.c'],
    ['GET', '/api/exports/a.b.c'],
    ['GET', '/api/covers/a.png'],
    ['POST', '/api/stripe/webhook'],
    ['GET', '/auth/v1/user'],
    ['GET', '/auth/v1/.well-known/jwks.json'],
    ['POST', '/functions/v1/send-purchase-email'],
    ['POST', '/api/admin/uploads', { 'tus-resumable': '1.0.0', 'upload-length': '10' }],
    ['PATCH', '/api/admin/uploads/x', { 'tus-resumable': '1.0.0' }],
    ['HEAD', '/api/admin/uploads/x', { 'tus-resumable': '1.0.0' }],
  ]
  for (const [method, path, headers = {}] of asked) {
    const response = await shop.call(method, path, { headers, token: admin.token })
    expect(response.headers.get('strict-transport-security'), `${method} ${path}`).toBe('max-age=31536000')
  }
})
