// Whatever is sent, the shop refuses it in a document that a client can read, never answers 5xx, and goes on.
// Other requests: FUZZ_SEED=… npx vitest run test/fuzz.test.ts; for longer: FUZZ_RUNS=2000
import { connect } from 'node:net'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { startStripe } from '@lectern/stripe-stand-in'
import { afterAll, expect, test, vi } from 'vitest'
import { fromSchema, type JsonSchema } from './from-schema.ts'
import { postForm, withPages } from './forms.ts'
import { openFuzzer, type Operation } from './fuzz.ts'
import { newVisitor, openGuestShop, payAsGuest, rows, settleAsGuest } from './guests.ts'
import { backupFile, passphrase } from './backup-file.ts'
import { headerText, hostileText, pathSegment } from './hostile.ts'
import { sessionOf } from './paying.ts'
import { openTestShop } from './shop.ts'
import { uploadTo } from './upload.ts'
import { createSetupLink } from '#domains/setup/first-admin.ts'
import { ensureBuilt } from '#tools/build.ts'

/** The same at each run: what fails here is a change of the code, and comes again on another machine. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_129)
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 50)
vi.setConfig({ testTimeout: 300_000 })
console.info(`FUZZ_SEED=${seed} FUZZ_RUNS=${numRuns}`)

const shop = await openTestShop({ env: { RATE_LIMIT: 'off', ADMIN_EMAIL: 'author@books.example' } })
const [buyer, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
const { id: product_id } = await shop.product('digital')
const { id: purchase_id } = await buyer.buy(product_id)
const fuzzer = openFuzzer(shop.url, [buyer.token, admin.token], { seed, numRuns })
afterAll(async () => {
  fuzzer[Symbol.dispose]()
  await shop[Symbol.asyncDispose]()
})

type OpenApi = {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string }[]
        requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
      }
    >
  >
}

async function documented(known?: Record<string, unknown>): Promise<Operation[]> {
  const { paths } = (await (await shop.call('GET', '/api/openapi.json')).json()) as OpenApi
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const query = parameters.filter((each) => each.in === 'query').map(({ name }) => `${name}={${name}}`)
      const search = query.length > 0 ? `?${query.join('&')}` : ''
      const operation: Operation = { method: method.toUpperCase(), path: `/api${path}${search}` }
      operation.known = { id: purchase_id }
      operation.headers = parameters.filter((each) => each.in === 'header').map(({ name }) => name)
      if (requestBody) operation.body = fitting(requestBody.content['application/json'].schema, known)
      return operation
    }),
  )
}

/** What no schema tells: which product there is, and words that are let in. */
function fitting(schema: JsonSchema, known: Record<string, unknown> = {}): Arbitrary<object> {
  const message = { name: 'Ada', email: 'ada@example.com', subject: 'Thanks', message: 'Amen', website: '' }
  return fromSchema(schema, { product_id, ...message, ...known }) as Arbitrary<object>
}

const isAdminPath = ({ path }: Operation) => path.startsWith('/api/admin/')

test('every operation of the OpenAPI document that is for everyone', async () => {
  const operations = (await documented()).filter((operation) => !isAdminPath(operation))
  expect(operations.length).toBeGreaterThanOrEqual(6)
  await Promise.all(operations.map((operation) => fuzzer.survives(operation)))
})

test('every operation of the admin area, in a shop that may be turned upside down', async () => {
  await using other = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const tokens = [(await other.person()).token, (await other.person({ role: 'admin' })).token]
  using adminArea = openFuzzer(other.url, tokens, { seed, numRuns })
  const operations = (await documented()).filter(isAdminPath)
  expect(operations.length).toBeGreaterThanOrEqual(20)
  for (const operation of operations) await adminArea.survives(operation)
  expect((await other.call('GET', '/api/ready')).status).toBe(200)
})

test('buying by address, by a browser that has the proof of a purchase', async () => {
  await using stripe = await startStripe()
  await using other = await openGuestShop(stripe, { env: { RATE_LIMIT: 'off' } })
  const visitor = newVisitor()
  const id = await payAsGuest(other, stripe, visitor)
  const { id: product_id } = await other.product('digital')
  using guests = openFuzzer(other.url, ['x'], { seed, numRuns })
  const operations = (await documented({ product_id, edition: 1, ...visitor })).filter(
    ({ path }) =>
      // What gives the money back is not called: the purchase stays.
      path.startsWith('/api/guest/') && !path.endsWith('/refund'),
  )
  expect(operations.length).toBeGreaterThanOrEqual(4)
  for (const operation of operations) await guests.survives({ ...operation, known: { id } })
  expect(await settleAsGuest(other, id, visitor.proof)).toMatchObject({ status: 'completed' })
  const paid = await rows(other, `select id from purchases where status = 'completed'`)
  expect(paid).toEqual([{ id }])
  // Some were let in: the file was asked for, and a link made.
  expect(await rows(other, `select purchase_id from downloads`)).not.toEqual([])
  expect(await rows(other, `select 1 from purchase_access where kind = 'receipt'`)).not.toEqual([])
})

test('forms of pages: whatever is typed, a page answers, with none of it as markup', async () => {
  ensureBuilt()
  await using stripe = await startStripe()
  await using other = await openGuestShop(stripe, { openPages: withPages })
  const id = await payAsGuest(other, stripe, newVisitor())
  const session = sessionOf(stripe, id).id
  // What is taken back with the right id is another one.
  const returned = await payAsGuest(other, stripe, newVisitor())
  const { id: product } = await other.product('digital')
  const known: Record<string, string[]> = {
    email: ['ada@example.com'],
    key: ['A'.repeat(43), '6b0f4a52-7d0c-4c53-9e0a-1f7c1c7b1a11'],
    access: [session, sessionOf(stripe, returned).id],
    order: ['#1001'],
    step: ['confirm'],
  }
  const fields: Record<string, string[]> = {
    '/contact': ['key', 'name', 'email', 'subject', 'message', 'website'],
    '/find-purchase': ['name', 'email', 'otherAddress', 'when', 'card', 'more'],
    '/find-purchase/receipts': ['email'],
    '/withdraw': ['key', 'name', 'email', 'order', 'step'],
    [`/tell-me/${product}`]: ['email'],
    '/sample': ['email', 'letters', 'website'],
    [`/emails/${'A'.repeat(22)}`]: ['has_editions'],
    [`/buy/${product}`]: ['key', 'email', 'code', 'country', 'shipping', 'consent'],
    [`/purchase/${id}/download`]: ['access', 'file_format', 'product_id'],
    [`/purchase/${returned}/refund`]: ['access', 'reason'],
  }
  const path = fc.constantFrom(...Object.keys(fields))
  const form = path.chain((to) =>
    fc.tuple(
      fc.constant(to),
      fc.record(
        Object.fromEntries(
          fields[to]!.map((name) => [
            name,
            fc.oneof(hostileText, fc.constantFrom(...(known[name] ?? ['x']))),
          ]),
        ),
        { requiredKeys: [] },
      ),
      fc.option(fc.dictionary(hostileText, hostileText, { maxKeys: 3 }), { nil: {} }),
      fc.constantFrom<Record<string, string>[]>(
        { 'sec-fetch-site': 'same-origin' },
        { origin: other.url },
        { origin: 'null' },
      ),
    ),
  )
  const survives = fc.asyncProperty(form, async ([to, values, more, headers]) => {
    const entries = Object.entries({ ...more, ...values }).map(([name, value = '']) => [name, value])
    const response = await postForm(other, to, Object.fromEntries(entries), headers)
    const html = await response.text()
    expect(response.status, html.slice(-300)).toBeLessThan(500)
    expect(html).not.toMatch(/<script>alert|<img src=x/)
  })
  await fc.assert(survives, { seed, numRuns: numRuns * 4, interruptAfterTimeLimit: 60_000 })
  const address = fc.asyncProperty(hostileText, hostileText, async (code, access) => {
    const search = (value: string) => encodeURIComponent(value.toWellFormed()).slice(0, 3_000)
    for (const place of [
      `/buy/digital?code=${search(code)}`,
      `/buy/${search(code)}`,
      `/purchase/${id}?session_id=${search(access)}`,
      `/withdraw/received?of=${search(code)}.${search(access)}`,
    ]) {
      const response = await other.call('GET', place)
      const html = await response.text()
      expect(response.status, place).toBeLessThan(500)
      expect(html).not.toMatch(/<script>alert|<img src=x/)
    }
  })
  await fc.assert(address, { seed, numRuns, interruptAfterTimeLimit: 60_000 })
  expect(await settleAsGuest(other, id, session)).toMatchObject({ status: 'completed' })
})

test('NUL, lone surrogates and tampered cursors in each text of every operation', async () => {
  await using other = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { token } = await other.person({ role: 'admin' })
  using single = openFuzzer(other.url, [token], { seed, numRuns })
  const account = fc.record({
    email: fc.emailAddress(),
    password: fc.constant('a password'),
    displayName: hostileText,
  })
  const functions = [{ method: 'POST', path: '/functions/v1/admin-create-user', body: account }]
  for (const operation of [...(await documented()), ...authOperations(crypto.randomUUID()), ...functions])
    await single.survivesUnstorable(operation)
})

test('a restore by the setup link: what opens it, what is uploaded, and files that are no backup', async () => {
  await using other = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const token = new URL(createSetupLink(other.services)).hash.slice(1)
  const link = fc.constant(token)
  const uploads = `${other.url}/api/setup/restore/uploads`
  const bucket = fc.record({
    kind: fc.constant('bucket'),
    // Empty would be Amazon's.
    endpoint: fc.oneof(
      hostileText.filter((text) => text.trim() !== ''),
      fc.constantFrom('http://127.0.0.1:9', 'https://[::1]'),
    ),
    ...Object.fromEntries(
      ['region', 'bucket', 'prefix', 'access_key', 'secret_key'].map((name) => [
        name,
        fc.oneof(hostileText, fc.constant('eu')),
      ]),
    ),
  })
  const file = fc.record({
    kind: fc.constant('file'),
    upload_id: fc.oneof(hostileText, fc.constant('a'.repeat(32))),
  })
  using restores = openFuzzer(other.url, ['x'], { seed, numRuns })
  const bodies = {
    state: fc.record({ token: link }),
    open: fc.record({ token: link, source: fc.oneof(file, bucket), passphrase: hostileText }),
    start: fc.record({ token: link, name: hostileText }),
  }
  for (const [name, body] of Object.entries(bodies))
    await restores.survives({ method: 'POST', path: `/api/setup/restore/${name}`, body })

  const size = fc.constantFrom('0', '5', '-1', '1e9', String(2 ** 60), 'x')
  const part = fc.oneof(
    fc.tuple(fc.constantFrom('upload-length', 'upload-offset', 'upload-defer-length'), size),
    fc.tuple(fc.constant('upload-metadata'), fc.oneof(headerText, fc.constant('filename YQ=='))),
    fc.tuple(fc.constant('content-type'), fc.constantFrom('application/offset+octet-stream', 'text/plain')),
  )
  const method = fc.constantFrom('POST', 'PATCH', 'HEAD', 'DELETE', 'GET')
  const path = fc.oneof(
    fc.constant(''),
    fc.constant(`/${'a'.repeat(32)}`),
    pathSegment.map((to) => `/${to}`),
  )
  const sending = fc.asyncProperty(method, path, fc.array(part), async (how, to, headers) => {
    const known = { 'tus-resumable': '1.0.0', 'x-setup-link': token, connection: 'close' }
    const body = how === 'PATCH' ? 'five!' : undefined
    const sent = {
      method: how,
      path: `/api/setup/restore/uploads${to}`,
      headers: { ...known, ...Object.fromEntries(headers) },
    }
    const { status, words } = await restores.send({ ...sent, body })
    if (!words.includes('server.full')) expect(status, words).toBeLessThan(500)
  })
  await fc.assert(sending, { seed, numRuns: numRuns * 2, interruptAfterTimeLimit: 30_000 })

  const moment = 'backups/2026-01-01T00-00-00-000Z'
  const names = fc.constantFrom(
    `${moment}.json`,
    `${moment}.objects`,
    `objects/ab/${'ab'.repeat(32)}`,
    '../x',
  )
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value))
  const entry = fc.record({ name: names, content: fc.oneof(json, hostileText) })
  const opening = fc.asyncProperty(fc.array(entry, { maxLength: 4 }), async (entries) => {
    const content = await backupFile(entries)
    const upload_id = await uploadTo(uploads, { 'x-setup-link': token }, content, 'shop.tar')
    const source = { kind: 'file', upload_id }
    const open = () => other.call('POST', '/api/setup/restore/open', { body: { token, source, passphrase } })
    // One of the buckets above may still be asked.
    await expect.poll(async () => (await open()).status, { timeout: 30_000 }).toBe(200)
    const { restoring } = other.services
    await expect.poll(() => restoring.state.state, { timeout: 30_000 }).toBe('failed')
    expect(restoring.state.problem).toMatch(/\w/)
  })
  await fc.assert(opening, { seed, numRuns: Math.ceil(numRuns / 5), interruptAfterTimeLimit: 60_000 })
  expect((await other.call('GET', '/api/ready')).status).toBe(200)
})

test('links to files, and the functions below /functions/v1', async () => {
  const link = await buyer.call('POST', `/api/purchases/${purchase_id}/download`, { body: {} })
  const { url } = (await link.json()) as { url: string }
  const headers = ['range', 'if-range', 'if-none-match', 'x-forwarded-for', 'user-agent']
  await fuzzer.survives({ method: 'GET', path: url, headers })
  await fuzzer.survives({ method: 'HEAD', path: url, headers })
  await fuzzer.survives({
    method: 'GET',
    path: '/api/files/{token}',
    known: { token: url.split('/').at(-1)! },
  })
  const known = { token: url.split('/').at(-1)! }
  await fuzzer.survives({ method: 'GET', path: '/api/backup-copies/{token}', headers, known })
  await fuzzer.survives({ method: 'HEAD', path: '/api/backup-copies/{token}', headers, known })
  await fuzzer.survives({
    method: 'POST',
    path: '/functions/v1/{name}',
    body: fc.record({ purchaseId: fc.uuid() }),
  })
  const purchaseId = fc.constant(purchase_id)
  await fuzzer.survives({
    method: 'POST',
    path: '/functions/v1/send-purchase-email',
    body: fc.record({ purchaseId }),
  })
  const account = { email: fc.emailAddress(), password: hostileText, displayName: hostileText }
  await fuzzer.survives({ method: 'POST', path: '/functions/v1/admin-create-user', body: fc.record(account) })
})

/** `id` is a second factor's. */
function authOperations(id: string): Operation[] {
  const email = fc.oneof(fc.constant(buyer.email), fc.emailAddress())
  const account = fc.record({ email, password: hostileText, data: fc.record({ display_name: hostileText }) })
  return [
    { method: 'POST', path: '/auth/v1/signup?redirect_to={to}', body: account },
    { method: 'POST', path: '/auth/v1/token?grant_type=password', body: account },
    {
      method: 'POST',
      path: '/auth/v1/token?grant_type=refresh_token',
      body: fc.record({ refresh_token: hostileText }),
    },
    { method: 'POST', path: '/auth/v1/token?grant_type={type}', body: account },
    {
      method: 'POST',
      path: '/auth/v1/verify',
      body: fc.record({
        type: fc.constantFrom('signup', 'recovery', 'email_change'),
        token_hash: hostileText,
      }),
    },
    {
      method: 'POST',
      path: '/auth/v1/verify',
      body: fc.record({ type: fc.constantFrom('signup', 'magiclink', 'email'), email, token: hostileText }),
    },
    { method: 'POST', path: '/auth/v1/otp?redirect_to={to}', body: fc.record({ email }) },
    { method: 'POST', path: '/auth/v1/recover?redirect_to={to}', body: fc.record({ email }) },
    {
      method: 'POST',
      path: '/auth/v1/resend?redirect_to={to}',
      body: fc.record({ email, type: fc.constantFrom('signup', 'email_change') }),
    },
    { method: 'GET', path: '/auth/v1/user' },
    {
      method: 'PUT',
      path: '/auth/v1/user',
      body: fc.record({ data: fc.record({ display_name: hostileText }) }),
    },
    {
      method: 'POST',
      path: '/auth/v1/factors',
      body: fc.record({ factor_type: fc.constant('totp'), friendly_name: hostileText }),
    },
    { method: 'POST', path: '/auth/v1/factors/{id}/challenge', known: { id } },
    {
      method: 'POST',
      path: '/auth/v1/factors/{id}/verify',
      known: { id },
      body: fc.record({ challenge_id: fc.uuid(), code: hostileText }),
    },
    { method: 'DELETE', path: '/auth/v1/factors/{id}' },
    { method: 'GET', path: '/auth/v1/.well-known/{file}' },
  ]
}

test('the auth service', async () => {
  const factor = await buyer.call('POST', '/auth/v1/factors', { body: { factor_type: 'totp' } })
  const { id } = (await factor.json()) as { id: string }
  for (const operation of authOperations(id)) await fuzzer.survives(operation)
})

test('a body that is larger than it says, or endless, is refused when it has grown too large', async () => {
  for (const path of ['/api/contact', '/functions/v1/send-purchase-email', '/auth/v1/signup']) {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${buyer.token}`,
      connection: 'close',
    }
    const body = JSON.stringify({ message: 'x'.repeat(1_000_000) })
    const refused = await fuzzer.send({ method: 'POST', path, headers, body })
    expect(refused.status).toBe(413)
    const chunked = { ...headers, 'transfer-encoding': 'chunked' }
    const response = await fuzzer.send({ method: 'POST', path, headers: chunked, body })
    expect([path, response.status]).toEqual([path, 413])
  }
})

test('what is hardly HTTP', async () => {
  const { host, hostname, port } = new URL(shop.url)
  const post = (head: string, body = '{}') =>
    `POST /api/contact HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${head}\r\n${body}`
  const lines = [
    `TRACE /api/products HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `TRACE /api/products HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n\r\n`,
    `PROPFIND / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET http://elsewhere.example/api/products HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET //api/products HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET /api/../api/products HTTP/1.1\r\nHost: a b\r\n\r\n`,
    `GET /api/products HTTP/1.1\r\n\r\n`,
    `GET /api/products?${'a'.repeat(100_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET /api/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${'a'.repeat(12_000)}\r\n\r\n`,
    `GET /api/products HTTP/9.9\r\nHost: ${host}\r\n\r\n`,
    'hello\r\n\r\n',
    '\0'.repeat(1_000),
    post('Transfer-Encoding: chunked\r\n'),
    post('Content-Length: 5\r\n'),
    post('Expect: something\r\n'),
    post('Content-Encoding: gzip\r\n'),
    post('Content-Type: text/html\r\n'),
    post('X: a\r\n b\r\n'),
    post('', '{"name":"a","name":"b"}'),
  ]
  const responses = await Promise.all(lines.map((line) => exchange(hostname, Number(port), line)))
  const tooBad = lines.filter((_, at) => !/^(HTTP\/1\.1 [234]\d\d |$)/.test(responses[at]!))
  expect(tooBad).toEqual([])
})

/** What comes back until the other side closes, or has been silent for a moment. */
function exchange(host: string, port: number, line: string): Promise<string> {
  return new Promise((resolve) => {
    let got = ''
    const socket = connect(port, host, () => socket.write(line))
    socket.setTimeout(150, () => socket.destroy())
    socket.on('data', (chunk) => (got += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(got))
  })
}

test('after all that the shop is open, its tables are there, and every mail was sent to one person', async () => {
  expect((await shop.call('GET', '/api/ready')).status).toBe(200)
  expect(await (await shop.call('GET', '/api/products')).json()).toHaveLength(4)
  expect(await buyer.buy(product_id)).toMatchObject({ amount: 14.99 })
  const { pool } = shop.services.database
  const jobs = () => pool.query(`select distinct state from pgboss.job order by state`)
  await expect.poll(async () => (await jobs()).rows).toEqual([{ state: 'completed' }])
  for (const { to, cc, bcc } of await shop.mailbox.all())
    expect([to?.length, cc, bcc]).toEqual([1, undefined, undefined])
})
