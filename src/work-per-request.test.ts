// What anybody may send without an account never costs the server much more than a plain request of the same length.
import { beforeAll, expect, test } from 'vitest'
import { contactMessage } from '#contract/readers/messages.ts'
import { signUpRequest } from '#domains/accounts/gotrue.ts'
import { openTestShop } from '#test/shop.ts'
import { openSite, unchangingSite } from '#test/site.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

/** What Node takes of a request's head, minus a little for the rest of it. */
const maxHead = 63_000

/** Milliseconds of the processor, the least of five: what else goes on in this process takes some, too. */
async function processorTime(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage()
    await work()
    times.push(process.cpuUsage(before).user / 1000)
  }
  return Math.min(...times)
}

test.each([
  ['Accept-Encoding of spaces', '/', { 'accept-encoding': `a${' '.repeat(maxHead)}b` }],
  ['Accept-Encoding of commas', '/', { 'accept-encoding': ','.repeat(maxHead) }],
  ['Accept-Encoding of semicolons', '/', { 'accept-encoding': `br${';'.repeat(maxHead)}` }],
  ['Accept-Encoding of zeros', '/', { 'accept-encoding': `br;q=0.${'0'.repeat(maxHead)}x` }],
  ['If-None-Match of tags', '/', { 'if-none-match': 'W/"a",'.repeat(maxHead / 6) }],
  ['If-None-Match of spaces', '/', { 'if-none-match': `"a"${' '.repeat(maxHead)},"b"` }],
  ['a path of slashes', `${'/'.repeat(maxHead)}x`, {}],
  ['a path of folders', `/${'a/'.repeat(maxHead / 2)}`, {}],
  ['an unknown path with a long query', `/nowhere?${'a=b&'.repeat(maxHead / 4)}`, {}],
])('%s is taken apart in a few milliseconds', async (_, path, headers) => {
  const { get } = await unchangingSite()
  await get('/')
  await get('/nowhere')
  // The last Accept-Encoding is remembered, so a request without one comes before each.
  const work = async () => {
    await get('/')
    await get(path, headers)
  }
  // In proportion to the square of its length the first of these took 160 ms.
  expect(await processorTime(work)).toBeLessThan(30)
})

test('unknown paths render nothing, however many there are', async () => {
  const { get, adminProducts } = await openSite()
  await get('/nowhere')
  const { calls } = adminProducts
  for (let count = 0; count < 100; count += 1) {
    expect((await get(`/nowhere/${count}?${count}`)).status).toBe(404)
  }
  expect(adminProducts.calls).toBe(calls)
})

test.each([
  ['marks in the wrong order', `a${'\u0301'.repeat(10_000)}${'\u0316'.repeat(10_000)}`],
  ['spaces', ' '.repeat(60_000)],
  ['line breaks', `${'\r\n'.repeat(25_000)}x`],
  ['an address of dots', `a@${'a.'.repeat(30_000)}!`],
  ['an address of hyphens', `a@${'a-'.repeat(30_000)}`],
  ['an address of signs', 'a@'.repeat(30_000)],
])('a form that holds nothing but %s is read in a few milliseconds', async (_, value) => {
  const message = { name: value, email: value, subject: value, message: value }
  const signUp = { email: value, password: value, data: { display_name: value } }
  contactMessage.safeParse(message)
  const read = () => [contactMessage.safeParse(message).success, signUpRequest.safeParse(signUp).success]
  expect(read()).toEqual([false, false])
  expect(await processorTime(read)).toBeLessThan(30)
})

test('thirty marks on one letter are a text, more are none', () => {
  const message = { name: 'A', email: 'a@example.com', subject: 'S', message: 'M' }
  const name = (marks: number) => `a${'\u0301'.repeat(marks)}`
  expect(contactMessage.safeParse({ ...message, name: name(30) }).success).toBe(true)
  expect(contactMessage.safeParse({ ...message, name: name(31) }).success).toBe(false)
})

test('an address longer than any of ours is refused before anything looks into it', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const ask = (path: string) => shop.call('GET', path)
  for (const path of [
    `/${'%ff/'.repeat(1_025)}`,
    `/api/products?${'a'.repeat(4_096)}`,
    `/auth/v1/user?${'%ff/'.repeat(1_025)}`,
  ]) {
    const response = await ask(path)
    expect([response.status, await response.json()]).toMatchObject([
      414,
      { code: 'request.address_too_long' },
    ])
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  }
  expect((await ask(`/api/products?${'a'.repeat(4_000)}`)).status).toBe(200)
})

test('what is no token is refused without a look into the database', async () => {
  await using shop = await openTestShop({ isEmpty: true })
  const { pool } = shop.services.database
  // The signing keys and the secrets are read at most once in ten seconds.
  for (const path of ['/auth/v1/.well-known/jwks.json', '/api/files/a.b']) await shop.call('GET', path)
  let queries = 0
  pool.on('acquire', () => (queries += 1))
  const part = 'A'.repeat(19_000)
  for (const token of [part, `${part}.${part}.${part}`, '.'.repeat(58_000), `e30.e30.${part}`]) {
    const response = await shop.call('GET', '/api/purchases', { token })
    expect(response.status).toBe(401)
  }
  for (const path of [`/api/files/${'a.'.repeat(1_500)}`, `/api/exports/${'a.'.repeat(1_500)}`]) {
    expect((await shop.call('GET', path)).status).toBeGreaterThanOrEqual(400)
  }
  expect(queries).toBe(0)
})
