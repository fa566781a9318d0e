// Whatever is sent, the response is a refusal that a client can read, never a 500.
import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { createAuth } from './shop.ts'
import { openDatabase } from '#platform/db/client.ts'
import { mailsTo, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { createPasswords } from './passwords.ts'
import { noPages } from '#test/without-pages.ts'

const shop = await openTestShop({
  isEmpty: true,
  env: { RATE_LIMIT: 'off' },
  passwords: createPasswords(),
})
afterAll(() => shop[Symbol.asyncDispose]())

const routes = [
  ['POST', '/signup'],
  ['POST', '/token?grant_type=password'],
  ['POST', '/token?grant_type=refresh_token'],
  ['POST', '/verify'],
  ['POST', '/recover'],
  ['POST', '/otp'],
  ['POST', '/resend'],
  ['PUT', '/user'],
  ['POST', '/factors'],
  ['POST', `/factors/${crypto.randomUUID()}/verify`],
  ['POST', '/factors/recovery-codes'],
  ['POST', '/factors/recovery-codes/regenerate'],
  ['POST', '/factors/recovery-codes/verify'],
  ['POST', '/passkeys/registration/options'],
  ['POST', '/passkeys/registration/verify'],
  ['POST', '/passkeys/authentication/verify'],
  ['PATCH', `/passkeys/${crypto.randomUUID()}`],
] as const

const texts = [
  '',
  'null',
  '[]',
  '"text"',
  '{',
  '{"a":',
  '\0',
  '\ufeff{}',
  '['.repeat(5_000),
  '{"a":'.repeat(2_000),
]
const addresses = [
  {},
  { email: null },
  { email: [] },
  { email: {} },
  { email: 'a'.repeat(10_000) },
  { email: '@' },
]
const nasty: unknown[] = [
  ...texts,
  ...addresses,
  { email: 'a@b.example\r\nBcc: c@d.example', password },
  { email: 'a@b.example\0', password, token_hash: '\0', refresh_token: '\0', type: 'signup' },
  { email: "'; drop table auth.users; --", password: "' or 1=1 --", token_hash: "'", type: 'signup' },
  { email: 'a@b.example', password: 'x'.repeat(10_000), type: 'x' },
  { email: 'a@b.example', password: '\ud800\ud800\ud800' },
  { email: 'a@b.example', password, data: { display_name: 'a\u0007b' } },
  { email: 'a@b.example', password, data: { display_name: 'a\r\nb' } },
  { email: 'a@b.example', password, data: { display_name: { toString: 1 } } },
  { email: 'a@b.example', password, data: { key: '\0' } },
  { email: 'a@b.example', password, data: { key: '\ud800' } },
  { email: 'a@b.example', password, data: { '\0': 1 } },
  { email: 'a@b.example', password, data: { key: { deep: { deeper: [] } } } },
  { email: 'a@b.example', password, data: { key: 'x'.repeat(2_000) } },
  `{"email":"a@b.example","password":"${password}","data":{"key":${'['.repeat(7_000)}${']'.repeat(7_000)}}}`,
  { type: 'signup', token_hash: 'x'.repeat(10_000) },
  { type: ['signup'], token_hash: 'x' },
  { challenge_id: 'x', code: '123456', factor_type: 'phone' },
  { challenge_id: crypto.randomUUID(), code: 123456, factor_type: 'totp', issuer: 'a\nb' },
  ...['AA', 'o2NmbXRkbm9uZQ', 'x'.repeat(9_000), '-_'].map(passkeyOf),
]

function passkeyOf(part: string) {
  const response = {
    clientDataJSON: part,
    attestationObject: part,
    authenticatorData: part,
    signature: part,
  }
  const credential = { id: part, rawId: part, type: 'public-key', response }
  const webauthn = { type: 'request', credential_response: credential }
  return { challenge_id: crypto.randomUUID(), credential, webauthn, friendly_name: 'a\nb' }
}

/** Some of it is sense to these, which do not look at the rest. */
const areLenient = new Set<string>(['/user', '/recover', '/otp', '/passkeys/registration/options'])

test.for(routes)('%s %s refuses nonsense', async ([method, path]) => {
  const { session } = await signedIn(shop)
  for (const [n, body] of nasty.entries()) {
    const response = await shop.call(method, `/auth/v1${path}`, { body, token: session.access_token })
    const document = await response.json()
    if (response.ok && areLenient.has(path)) continue
    expect(response.status, `body ${n}`).toBeGreaterThanOrEqual(400)
    expect(response.status, `body ${n}`).toBeLessThan(500)
    expect(document).toMatchObject({ code: expect.stringMatching(/^[a-z_.]+$/), message: expect.any(String) })
    expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
})

test.for([
  ['GET', '/nothing', 404],
  ['GET', '/token', 404],
  ['DELETE', '/user', 404],
  ['POST', '/token', 400],
  ['POST', '/token?grant_type=implicit', 400],
  ['POST', '/token?grant_type=password&grant_type=refresh_token', 400],
  ['POST', '/factors/1;drop/challenge', 404],
  ['POST', '/factors/%00/challenge', 404],
  ['POST', '/factors/..%2f..%2fuser/verify', 400],
  ['DELETE', '/factors/x', 404],
  ['DELETE', '/passkeys/x', 404],
  ['DELETE', `/passkeys/${crypto.randomUUID()}`, 404],
  ['POST', '/logout?scope=everyone', 400],
] as const)('%s %s is refused with %i', async ([method, path, status]) => {
  const { session } = await signedIn(shop)
  const response = await shop.call(method, `/auth/v1${path}`, { token: session.access_token })
  expect(response.status).toBe(status)
  expect(await response.json()).toHaveProperty('code')
})

test('metadata can carry no prototype, and never more than an access token can carry', async () => {
  const { auth, session } = await signedIn(shop)
  const body = '{"data":{"__proto__":{"is_admin":true},"constructor":"x","display_name":"Ruth"}}'
  const response = await shop.call('PUT', '/auth/v1/user', { body, token: session.access_token })
  expect(response.status).toBeLessThan(500)
  expect((await auth.updateUser({ data: { first: '語'.repeat(500) } })).error).toBeNull()
  expect((await auth.updateUser({ data: { second: '語'.repeat(500) } })).error?.status).toBe(400)
  expect((await auth.refreshSession()).error).toBeNull()
  expect((await auth.getUser()).error).toBeNull()
})

test('a body that is too large, or not JSON, is refused', async () => {
  const large = { body: { email: someone(), password, data: { key: 'x'.repeat(20_000) } } }
  expect((await shop.call('POST', '/auth/v1/signup', large)).status).toBe(413)
  const form = { body: '{}', headers: { 'content-type': 'text/plain' } }
  expect((await shop.call('POST', '/auth/v1/recover', form)).status).toBe(415)
  expect(await chunked('/auth/v1/recover', 'x'.repeat(20_000))).toBe(413)
})

/** Sent without a length in advance. */
function chunked(path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, shop.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    call.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject)
    call.write(body)
    call.end()
  })
}

test('a name cannot forge a header or a tag in the mail', async () => {
  const email = someone()
  const data = { display_name: '<img src=x onerror=alert(1)> & "Ruth"' }
  await shop.call('POST', '/auth/v1/signup', { body: { email, password, data } })
  const [mail] = await mailsTo(shop, email, 1)
  expect(mail!.html).not.toContain('<img src=x')
  expect(mail!.text).toContain('"Ruth"')
})

test('with the database away the response is 503 and says when to come back', async () => {
  const { services } = shop
  await using away = openDatabase('postgres://nobody@127.0.0.1:1/none')
  const auth = createAuth({ ...services, passwords: createPasswords(), db: away.db })
  const app = createApp({ ...services, auth }, noPages)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: someone(), password, refresh_token: 'A'.repeat(75) })
  for (const path of ['/token?grant_type=password', '/token?grant_type=refresh_token']) {
    const response = await app.request(`/auth/v1${path}`, { method: 'POST', headers, body })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toMatchObject({ code: 'request_timeout' })
  }
})

test('a bug says nothing about itself', async () => {
  const { pool } = shop.services.database
  await pool.query('alter table auth.users rename to hidden')
  const body = { email: someone(), password }
  const response = await shop.call('POST', '/auth/v1/token?grant_type=password', { body })
  await pool.query('alter table auth.hidden rename to users')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    code: 'unexpected_failure',
    message: 'An unexpected error occurred.',
  })
})
