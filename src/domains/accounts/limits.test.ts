// Each limit against its live route, and that none stands where it would do harm.
import { afterAll, expect, test } from 'vitest'
import { createAuth } from './shop.ts'
import { createPasswords } from './passwords.ts'
import { limits } from './limits.ts'
import { mailLimits } from './mail-limits.ts'
import { openTestShop } from '#test/shop.ts'
import { password, signedIn, someone } from '#test/auth-client.ts'

const shop = await openTestShop({ isEmpty: true, hasWorkers: false, env: { TRUST_PROXY: '1' } })
afterAll(() => shop[Symbol.asyncDispose]())

let addresses = 0
const someAddress = () => `198.51.${addresses >> 8}.${addresses++ & 255}`

type Call = { path: string; body?: unknown; from?: string; token?: string; method?: string }

function call({ path, body, from = someAddress(), token, method = 'POST' }: Call) {
  const headers = { 'x-forwarded-for': from }
  return shop.call(method, `/auth/v1${path}`, { body, headers, ...(token && { token }) })
}

/** How many of `count` calls at once were not refused for their number, and what the refused were told. */
async function allowed(count: number, calls: (n: number) => Call) {
  const responses = await Promise.all(Array.from({ length: count }, (_, n) => call(calls(n))))
  const refused = responses.filter(({ status }) => status === 429)
  for (const response of refused) {
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({
      code: expect.stringMatching(/^over_(request|email_send)_rate_limit$/),
    })
  }
  return count - refused.length
}

const signIn = (email: string, from?: string): Call => ({
  path: '/token?grant_type=password',
  body: { email, password: 'wrong password' },
  ...(from && { from }),
})

test('sign-ins with one address from one network: ten in five minutes, known or not', async () => {
  const { email } = await signedIn(shop)
  for (const address of [email, someone()]) {
    const from = someAddress()
    expect(await allowed(14, () => signIn(address, from))).toBe(limits.signInByAddressAndNetwork.limit)
    expect(await allowed(1, () => signIn(address))).toBe(1)
  }
})

test('sign-ins from one network: sixty in five minutes', async () => {
  const from = someAddress()
  expect(await allowed(63, () => signIn(someone(), from))).toBe(limits.signInByNetwork.limit)
})

test('sign-ins with one address from everywhere: fifty in an hour', async () => {
  const email = someone()
  expect(await allowed(54, () => signIn(email))).toBe(limits.signInByAddress.limit)
})

test('an IPv6 household counts as one', async () => {
  const email = someone()
  const from = (n: number) => `2001:db8:1:2:${n}::${n}`
  expect(await allowed(12, (n) => signIn(email, from(n + 1)))).toBe(limits.signInByAddressAndNetwork.limit)
})

test('a forged X-Forwarded-For buys no further tries', async () => {
  const email = someone()
  const from = someAddress()
  expect(await allowed(12, (n) => signIn(email, `203.0.113.${n}, ${from}`))).toBe(10)
})

test('sign-ups from one network: two hundred in an hour', async () => {
  const from = someAddress()
  const signUp = () => ({ path: '/signup', body: { email: someone(), password }, from })
  expect(await allowed(limits.signUpByNetwork.limit + 2, signUp)).toBe(200)
})

const ask = (path: string, email: string, from?: string): Call => ({
  path,
  body: { email, password, type: 'signup' },
  ...(from && { from }),
})

test.for(['/recover', '/resend', '/signup'])(
  'mails to one address by %s: one while its link works, from one network and from others, known or not',
  async (path) => {
    const { email } = await signedIn(shop)
    for (const address of [email, someone()]) {
      const from = someAddress()
      expect(await allowed(6, () => ask(path, address, from))).toBe(1)
      expect(await allowed(8, () => ask(path, address))).toBe(0)
    }
    expect(await allowed(8, () => ask(path, email.replace('@', '+other@')))).toBe(1)
  },
)

test('mails asked for from one network: two hundred in an hour, of IPv6 four times as many from a household', async () => {
  const from = someAddress()
  expect(await allowed(202, () => ask('/recover', someone(), from))).toBe(mailLimits.byNetwork.limit)
  // As if the household had asked for most of them.
  const network = '2001:db8:77::/56'
  expect(await allowed(1, () => ask('/recover', someone(), '2001:db8:77:1::1'))).toBe(1)
  await shop.services.database.pool.query(
    `update rate_limits set hits = 795 where key = 'auth:mail:network ' || $1`,
    [network],
  )
  const household = (n: number) => `2001:db8:77:${(n % 256).toString(16)}::1`
  expect(await allowed(9, (n) => ask('/recover', someone(), household(n)))).toBe(5)
})

test('changes of address count as mails, each for its own mailbox', async () => {
  const { session } = await signedIn(shop)
  const body = { email: someone() }
  const from = someAddress()
  const change = { path: '/user', method: 'PUT', body, token: session.access_token, from }
  expect(await allowed(6, () => change)).toBe(mailLimits.byAddressAndNetwork.limit)
  expect(
    await allowed(3, () => ({ path: '/resend', body: { email: body.email, type: 'signup' }, from })),
  ).toBe(0)
})

test('passwords tried within a session: ten in five minutes', async () => {
  const { session } = await signedIn(shop)
  const body = { password: 'another password', current_password: 'a guess' }
  const change = { path: '/user', method: 'PUT', body, token: session.access_token }
  expect(await allowed(12, () => change)).toBe(limits.passwordByAccount.limit)
})

test('codes of second factors from one network: three hundred in five minutes', async () => {
  const from = someAddress()
  const count = 31
  const people = await Promise.all(Array.from({ length: count }, () => signedIn(shop)))
  const guess = (n: number, network = from) => {
    const body = { challenge_id: crypto.randomUUID(), code: '123456' }
    const token = people[n % count]!.session.access_token
    return { path: `/factors/${crypto.randomUUID()}/verify`, body, from: network, token }
  }
  expect(await allowed(limits.codeByNetwork.limit + 5, (n) => guess(n))).toBe(limits.codeByNetwork.limit)
  expect(await allowed(1, () => guess(count - 1, someAddress()))).toBe(1)
})

test('renewals have no limit', async () => {
  const { session } = await signedIn(shop)
  const body = { refresh_token: session.refresh_token }
  const from = someAddress()
  expect(await allowed(100, () => ({ path: '/token?grant_type=refresh_token', body, from }))).toBe(100)
})

test('limits can be turned off', async () => {
  const { services } = shop
  const { app } = createAuth({
    ...services,
    passwords: createPasswords(),
    config: { ...services.config, hasRateLimits: false },
  })
  const email = someone()
  const body = JSON.stringify({ email })
  const headers = { 'content-type': 'application/json' }
  for (let n = 0; n < 6; n++)
    expect((await app.request('/recover', { method: 'POST', body, headers })).status).toBe(200)
})
