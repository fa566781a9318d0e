// Sessions over time: renewed, lost on the wire, stolen, forgotten; seen from the real auth-js where it takes part.
import { afterAll, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#contract/durations.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { openBrowser, password, signedIn } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

type TokenResponse = { access_token: string; refresh_token: string; code?: string }

async function renew(refresh_token: string) {
  const response = await shop.call('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token },
  })
  return { status: response.status, ...((await response.json()) as TokenResponse) }
}

const isAlive = async (token: string) => (await shop.call('GET', '/auth/v1/user', { token })).ok

test('a session about to expire renews itself and says so', async () => {
  const { auth, store, events, session, stored } = await signedIn(shop)
  store({ expires_at: Math.floor(Date.now() / 1000) + 60 })
  const { data } = await auth.getSession()
  expect(data.session!.refresh_token).not.toBe(session.refresh_token)
  expect(stored()!.expires_at! - Date.now() / 1000).toBeGreaterThan(890)
  expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED'])
})

test('a page opened again finds its session without a call', async () => {
  const storage = new Map<string, string>()
  const first = await openBrowser(shop.url, { storage })
  const { email } = await signedIn(shop)
  await first.auth.signInWithPassword({ email, password })
  const second = await openBrowser(shop.url, { storage })
  expect((await second.auth.getSession()).data.session?.user.email).toBe(email)
  expect(second.calls).toEqual([])
  expect(second.events).toContain('INITIAL_SESSION')
})

test.for([-60, 60])(
  'a clock %d minutes off neither renews at every look nor uses a dead token',
  async (minutes) => {
    time.ahead = minutes * minuteMs
    const { auth, calls } = await signedIn(shop)
    for (let look = 0; look < 20; look++) await auth.getSession()
    expect(calls.filter((path) => path.includes('refresh_token'))).toEqual([])
    expect((await auth.getUser()).error).toBeNull()
  },
)

test('a response lost on the wire costs nothing: the old token gives the same successor', async () => {
  const storage = new Map<string, string>()
  const { email } = await signedIn(shop)
  let losses = 0
  const breakNext = (path: string) => path.includes('refresh_token') && losses++ === 0
  const { auth, stored, events } = await openBrowser(shop.url, { storage, breakNext })
  await auth.signInWithPassword({ email, password })
  const { data, error } = await auth.refreshSession()
  expect(error).toBeNull()
  expect(losses).toBe(2)
  expect(events).not.toContain('SIGNED_OUT')
  expect((await renew(stored()!.refresh_token)).status).toBe(200)
  expect(await isAlive(data.session!.access_token)).toBe(true)
})

test('of forty renewals at once, one takes the step and all get its result', async () => {
  const { session } = await signedIn(shop)
  const responses = await Promise.all(Array.from({ length: 40 }, () => renew(session.refresh_token)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(responses.map(({ refresh_token }) => refresh_token)).size).toBe(1)
})

test('a token used again after the leeway is a stolen one: its session ends, others go on', async () => {
  const { session, email } = await signedIn(shop)
  const other = await openBrowser(shop.url)
  await other.auth.signInWithPassword({ email, password })
  const next = await renew(session.refresh_token)
  time.ahead = 29_000
  expect((await renew(session.refresh_token)).refresh_token).toBe(next.refresh_token)
  time.ahead = 31_000
  expect(await renew(session.refresh_token)).toMatchObject({
    status: 400,
    code: 'refresh_token_already_used',
  })
  expect(await renew(next.refresh_token)).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  expect(await isAlive(next.access_token)).toBe(false)
  expect((await other.auth.getUser()).error).toBeNull()
  const { rows } = await shop.services.database.pool.query(
    `select event from auth.audit_log where user_id = '${session.user.id}' and event = 'refresh_token_reused'`,
  )
  expect(rows).toHaveLength(1)
})

test('a token two steps old ends the session at once', async () => {
  const { session } = await signedIn(shop)
  const second = await renew(session.refresh_token)
  const third = await renew(second.refresh_token)
  expect((await renew(session.refresh_token)).code).toBe('refresh_token_already_used')
  expect((await renew(third.refresh_token)).code).toBe('refresh_token_not_found')
})

test('a forged token is unknown and harms no session', async () => {
  const { session } = await signedIn(shop)
  const bytes = Buffer.from(session.refresh_token, 'base64url')
  bytes.writeBigUInt64BE(5n, 16)
  const forgeries = [
    bytes.toString('base64url'),
    '',
    'x',
    'A'.repeat(75),
    '%'.repeat(75),
    session.access_token.slice(0, 75),
  ]
  for (const forged of forgeries) expect((await renew(forged)).code).toBe('refresh_token_not_found')
  expect((await renew(session.refresh_token)).status).toBe(200)
})

test('a session lasts thirty days without use and ninety with it', async () => {
  const { session } = await signedIn(shop)
  let token = session.refresh_token
  for (time.ahead = 29 * dayMs; time.ahead < 89 * dayMs; time.ahead += 29 * dayMs)
    token = (await renew(token)).refresh_token
  time.ahead = 90 * dayMs
  expect((await renew(token)).code).toBe('session_expired')
  time.ahead = 90 * dayMs - 5 * minuteMs
  const { access_token } = await renew(token)
  expect(await isAlive(access_token)).toBe(true)
  time.ahead = 90 * dayMs + minuteMs
  expect(await isAlive(access_token)).toBe(false)

  time.ahead = 0
  const idle = await signedIn(shop)
  time.ahead = 30 * dayMs + minuteMs
  expect((await renew(idle.session.refresh_token)).code).toBe('session_expired')
})

test('when the service fails or is busy, a renewal is tried again and nobody is signed out', async () => {
  const { auth, store, events, email } = await signedIn(shop)
  store({ expires_at: Math.floor(Date.now() / 1000) - 60 })
  await shop.services.database.pool.query('alter table auth.sessions rename to away')
  setTimeout(() => void shop.services.database.pool.query('alter table auth.away rename to sessions'), 300)
  const { data } = await auth.getSession()
  expect(data.session?.user.email).toBe(email)
  expect(events).not.toContain('SIGNED_OUT')
})

test('an expired access token is refused, and still good enough to sign out', async () => {
  const { session } = await signedIn(shop)
  time.ahead = 16 * minuteMs
  const refused = await shop.call('GET', '/auth/v1/user', { token: session.access_token })
  expect([refused.status, ((await refused.json()) as TokenResponse).code]).toEqual([403, 'bad_jwt'])
  expect((await shop.call('POST', '/auth/v1/logout', { token: session.access_token })).status).toBe(204)
  expect((await renew(session.refresh_token)).code).toBe('refresh_token_not_found')
})

test('neither an expired token nor an ended session signs others out', async () => {
  const { auth, session, email } = await signedIn(shop)
  const other = await openBrowser(shop.url)
  const signOut = async (token: string) => {
    for (const scope of ['global', 'others']) {
      const response = await shop.call('POST', `/auth/v1/logout?scope=${scope}`, { token })
      expect(response.status).toBe(204)
    }
  }
  await other.auth.signInWithPassword({ email, password })
  await auth.signOut({ scope: 'local' })
  await signOut(session.access_token)
  expect((await other.auth.getUser()).error).toBeNull()

  const third = await openBrowser(shop.url)
  const { data } = await third.auth.signInWithPassword({ email, password })
  time.ahead = 16 * minuteMs
  await signOut(data.session!.access_token)
  expect((await other.auth.refreshSession()).error).toBeNull()
  expect((await third.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
})

test('a sign-in whose password is changed while it is compared opens no session', async () => {
  const { auth, user_id, email } = await signedIn(shop)
  const { pool } = shop.services.database
  const change = await pool.connect()
  await change.query('begin')
  await change.query(`update auth.users set password_hash = 'another' where id = '${user_id}'`)
  const signIn = auth.signInWithPassword({ email, password })
  await untilWaiting(shop.services.database, 1)
  await change.query('commit')
  change.release()
  expect((await signIn).error?.code).toBe('invalid_credentials')
})

test('a banned account can neither call, renew nor sign in, and only with its password is the reason given', async () => {
  const { session, email } = await signedIn(shop)
  await shop.services.database.pool.query(
    `update auth.users set banned_until = now() + interval '1 day' where id = '${session.user.id}'`,
  )
  expect(await isAlive(session.access_token)).toBe(false)
  expect(await renew(session.refresh_token)).toMatchObject({ status: 403, code: 'user_banned' })
  const { auth } = await openBrowser(shop.url)
  expect((await auth.signInWithPassword({ email, password })).error?.code).toBe('user_banned')
  expect((await auth.signInWithPassword({ email, password: 'wrong' })).error?.code).toBe(
    'invalid_credentials',
  )
})
