// One's own sessions: named by their browsers, and ended with a recent proof.
import { afterAll, expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { dayMs } from '#contract/durations.ts'
import type { OwnSession } from '#contract/accounts/own-account.ts'
import { idleDays } from './sessions.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

type Person = Awaited<ReturnType<typeof shop.person>>

async function signIn({ email, password }: Person, agent: string): Promise<string> {
  const headers = { 'user-agent': agent }
  const path = '/auth/v1/token?grant_type=password'
  const response = await shop.call('POST', path, { body: { email, password }, headers })
  return ((await response.json()) as { access_token: string }).access_token
}

const callWith =
  (token: string): Person['call'] =>
  (method, path, options) =>
    shop.call(method, path, { ...options, token })

async function list({ call }: Pick<Person, 'call'>): Promise<OwnSession[]> {
  return ((await (await call('GET', '/api/account/sessions')).json()) as { items: OwnSession[] }).items
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const desktop = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

test('sessions are named by their browsers, the own one marked, those that have ended left out', async () => {
  const reader = await shop.person()
  await signIn(reader, phone)
  await signIn(reader, desktop)
  await signIn(reader, '<script>')
  const found = await list(reader)
  expect(found.map(({ browser, system, is_current }) => [browser, system, is_current])).toEqual([
    [null, null, false],
    ['Firefox', 'Linux', false],
    ['Safari', 'iOS', false],
    [null, null, true],
  ])
  time.ahead += idleDays * dayMs - 1_000
  const call = callWith(await signIn(reader, phone))
  expect(await list({ call })).toHaveLength(5)
  time.ahead += 2_000
  expect(await list({ call })).toHaveLength(1)
})

test('a session is ended with a recent proof, at once, and only by its owner', async () => {
  const [reader, stranger] = [await shop.person(), await shop.person()]
  const other = callWith(await signIn(reader, phone))
  const [session] = await list(reader)
  const end = (call: Person['call']) => call('DELETE', `/api/account/sessions/${session!.id}`)
  expect((await end(stranger.call)).status).toBe(200)
  expect((await other('GET', '/api/me')).status).toBe(200)
  time.ahead += 10 * 60_000
  const refused = await end(reader.call)
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    400,
    'auth.reauthentication_needed',
  ])
  const proof = { body: { current_password: reader.password } }
  expect((await reader.call('POST', '/api/me/proof', proof)).status).toBe(200)
  expect((await end(reader.call)).status).toBe(200)
  expect((await other('GET', '/api/me')).status).toBe(401)
  expect((await end(reader.call)).status).toBe(200)
  const { rows } = await shop.services.database.pool.query(
    `select count(*)::int as count from auth.audit_log where event = 'session_ended'`,
  )
  expect(rows).toEqual([{ count: 1 }])
  expect((await reader.call('DELETE', '/api/account/sessions/none')).status).toBe(404)
})
