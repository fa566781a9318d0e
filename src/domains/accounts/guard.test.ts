// Who gets past the guard, and how soon it hears of a change.
import { generateKeyPair, SignJWT } from 'jose'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { giveRole } from '#test/factories.ts'
import { password, signedIn } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

const { requireUser, requireAdmin, requireRecentSignIn } = shop.services.auth
const { pool } = shop.services.database
const app = new Hono<ApiEnv>()
  .get('/user', requireUser, (c) => c.json(c.var.user))
  .get('/admin', requireUser, requireAdmin, (c) => c.json(c.var.user))
  .get('/recent', requireUser, requireRecentSignIn, (c) => c.json(c.var.user))
  .onError((error, c) => c.text('code' in error ? String(error.code) : error.message, 400))

async function enter(path: string, token?: string, scheme = 'Bearer') {
  const headers = new Headers(token === undefined ? [] : [['authorization', `${scheme} ${token}`]])
  const response = await app.request(path, { headers })
  return response.ok ? 'in' : response.text()
}

async function admin() {
  const person = await signedIn(shop)
  await giveRole(shop.services.db, person.user_id)
  return { ...person, token: person.session.access_token }
}

test('the guard tells the route who calls', async () => {
  const { auth } = shop.services
  const email = `${crypto.randomUUID()}@example.com`
  const { user_id } = await auth.createAccount({ email, password, display_name: 'Ruth', role: 'admin' })
  const response = await shop.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email, password },
  })
  const { access_token } = (await response.json()) as { access_token: string }
  const user = await (
    await app.request('/admin', { headers: { authorization: `Bearer ${access_token}` } })
  ).json()
  expect(user).toEqual({
    id: user_id,
    email,
    display_name: 'Ruth',
    is_admin: true,
    session_id: expect.any(String),
    aal: 'aal1',
    has_factor: false,
    has_password: true,
    signed_in_at: expect.any(String),
    factor_proved_at: null,
  })
})

test('without a token that we signed for a living session, a caller is signed out', async () => {
  const { token } = await admin()
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const tampered = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('aal1', 'aal2')).toString(
    'base64url',
  )
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const strangers = await generateKeyPair('ES256')
  const header = JSON.parse(Buffer.from(head, 'base64url').toString())
  const forged = await new SignJWT(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    .setProtectedHeader(header)
    .sign(strangers.privateKey)
  const hmac = await new SignJWT(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    .setProtectedHeader({ ...header, alg: 'HS256' })
    .sign(Buffer.from(JSON.stringify(strangers.publicKey)))
  const nonsense = ['', 'x', 'a.b.c', '..', 'null', 'é', 'x'.repeat(9_000)]
  const lies = [`${head}.${tampered}.${signature}`, `${none}.${claims}.`, `${head}.${claims}.`, forged, hmac]
  for (const each of [...nonsense, ...lies]) expect(await enter('/user', each)).toBe('access.signed_out')
  expect(await enter('/user')).toBe('access.signed_out')
  expect(await enter('/user', token, 'Basic')).toBe('access.signed_out')
  expect(await enter('/user', token)).toBe('in')
  expect(await enter('/user', token, 'bearer')).toBe('in')
})

test('signing out, a ban and a lost role count at the very next call', async () => {
  const first = await admin()
  expect(await enter('/admin', first.token)).toBe('in')
  await pool.query(`delete from user_roles where user_id = '${first.user_id}' and role = 'admin'`)
  expect(await enter('/admin', first.token)).toBe('access.forbidden')
  expect(await enter('/user', first.token)).toBe('in')
  await first.auth.signOut()
  expect(await enter('/user', first.token)).toBe('access.signed_out')

  const second = await admin()
  await pool.query(
    `update auth.users set banned_until = now() + interval '1 hour' where id = '${second.user_id}'`,
  )
  expect(await enter('/user', second.token)).toBe('access.signed_out')
  time.ahead = 2 * hourMs
  await pool.query(
    `update auth.users set banned_until = now() - interval '1 hour' where id = '${second.user_id}'`,
  )
  time.ahead = 0
  expect(await enter('/admin', second.token)).toBe('in')
  await pool.query(`delete from auth.users where id = '${second.user_id}'`)
  expect(await enter('/user', second.token)).toBe('access.signed_out')
})

test('a token remembered as genuine still expires', async () => {
  const { token } = await admin()
  expect(await enter('/user', token)).toBe('in')
  time.ahead = 15 * 60_000 - 2_000
  expect(await enter('/user', token)).toBe('in')
  time.ahead = 15 * 60_000 + 1_000
  expect(await enter('/user', token)).toBe('access.signed_out')
})

test('what asks for a recent sign-in is not satisfied by renewals', async () => {
  const { auth, session } = await signedIn(shop)
  expect(await enter('/recent', session.access_token)).toBe('in')
  time.ahead = 25 * hourMs
  const { data } = await auth.refreshSession()
  const token = data.session!.access_token
  expect(await enter('/user', token)).toBe('in')
  expect(await enter('/recent', token)).toBe('auth.reauthentication_needed')
  expect((await auth.updateUser({ password: 'another one' })).error?.code).toBe('reauthentication_needed')
  const wrong = await auth.updateUser({ password: 'another one', current_password: 'a guess' })
  expect(wrong.error?.code).toBe('invalid_credentials')
  const right = await auth.updateUser({ password: 'another one', current_password: password })
  expect(right.error).toBeNull()
})

test('a database that is away is not taken for a signed-out caller', async () => {
  const { token } = await admin()
  await pool.query('alter table auth.sessions rename to away')
  const response = await enter('/user', token)
  await pool.query('alter table auth.away rename to sessions')
  expect(response).not.toBe('access.signed_out')
})
