// The list of admins: who is on it, and how one joins it.
import { afterAll, expect, test } from 'vitest'
import { given } from '#test/given.ts'
import { linkIn, mailsTo, openBrowser } from '#test/auth-client.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { openTestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { AdminAccount } from '#contract/accounts/users.ts'
import { codeOf, enrol } from '#test/second-factor.ts'
import { openOwnShop, saveGroup } from '#test/settings.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

async function add(admin: Person, email: string, more: object = {}) {
  const response = await admin.call('POST', '/api/admin/admins', { body: { email, ...more } })
  const { outcome, code } = (await response.json()) as { outcome?: string; code?: string }
  return outcome ?? code
}

async function list(admin: Person): Promise<AdminAccount[]> {
  const response = await admin.call('GET', '/api/admin/admins')
  return ((await response.json()) as { items: AdminAccount[] }).items
}

test('who has no account gets one, and a link to choose a password, again while there is none', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin', email: 'author@books.example' })
  expect(await add(admin, ' Editor@Books.example')).toBe('invited')
  expect(await add(admin, 'editor@books.example')).toBe('invited')
  expect(await list(admin)).toMatchObject([
    { email: 'author@books.example', last_sign_in_at: expect.any(String), is_disabled: false },
    { email: 'editor@books.example', last_sign_in_at: null, has_second_factor: false },
  ])
  const mails = await mailsTo(shop, 'editor@books.example', 2)
  expect(mails.map(({ subject }) => subject)).toEqual(['You are an admin now', 'You are an admin now'])
  const { token_hash } = linkIn(mails[1]!)
  const editor = await openBrowser(shop.url)
  const { data } = await editor.auth.verifyOtp({ token_hash, type: 'recovery' })
  expect((await editor.auth.updateUser({ password: 'nine good words' })).error).toBeNull()
  const me = await shop.call('GET', '/api/me', { token: data.session!.access_token })
  expect(await me.json()).toMatchObject({ is_admin: true })
  expect(await add(admin, 'editor@books.example')).toBe('unchanged')
  const { rows } = await shop.services.database.pool.query(
    `select action, subject from audit_log where actor = 'author@books.example' order by created_at`,
  )
  const invited = { action: 'users.invited', subject: 'editor@books.example' }
  expect(rows).toEqual([invited, invited])
})

test('who has an account is admin at once; a sign-up that was never confirmed is no account', async () => {
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person()
  expect((await reader.call('GET', '/api/admin/admins')).status).toBe(403)
  expect(await add(reader, reader.email)).toBe('access.forbidden')
  expect(await add(admin, reader.email)).toBe('granted')
  expect((await reader.call('GET', '/api/admin/admins')).status).toBe(200)

  const stranger = { email: 'editor@books.example', password: 'a stranger chose it' }
  await shop.call('POST', '/auth/v1/signup', { body: stranger })
  expect(await add(admin, stranger.email)).toBe('invited')
  const signIn = await shop.call('POST', '/auth/v1/token?grant_type=password', { body: stranger })
  expect(signIn.status).toBe(400)
})

test('a session that was not proven within ten minutes makes no admin', async () => {
  let now = Date.now()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => new Date(now) })
  const admin = await shop.person({ role: 'admin' })
  now += 10 * 60_000
  expect(await add(admin, 'editor@books.example')).toBe('auth.reauthentication_needed')
  expect(await list(admin)).toHaveLength(1)
  expect(await add(admin, 'editor@books.example', { current_password: admin.password })).toBe('invited')
})

type Attempt = [method: string, path: string, body: object]

test('a stolen session makes no admin, in no way, until it knows the password', async () => {
  const [admin, second, reader] = [
    await shop.person({ role: 'admin' }),
    await shop.person({ role: 'admin' }),
    await shop.person(),
  ]
  const grow = () => given.passwordsGiven(shop, '10 minutes')
  const account = (email: string) => ({ email, password: 'nine good words', role: 'admin' })
  const attempts: Attempt[] = [
    ['POST', '/api/admin/users', account('one@thief.example')],
    ['POST', '/functions/v1/admin-create-user', account('two@thief.example')],
    ['POST', '/api/admin/admins', { email: 'three@thief.example' }],
    ['PUT', `/api/admin/users/${reader.id}/roles/admin`, {}],
    ['PUT', `/api/admin/users/${second.id}/disabled`, { is_disabled: true }],
    ['DELETE', `/api/admin/users/${second.id}/roles/admin`, {}],
  ]
  const sendEvent = async () => (await list(admin)).map(({ email }) => email)
  const before = await sendEvent()
  for (const [method, path, body] of attempts) {
    await grow()
    const refused = await admin.call(method, path, { body })
    expect([path, await refused.text()]).toEqual([path, expect.stringContaining('Please sign in again')])
    const guess = await admin.call(method, path, { body: { ...body, current_password: 'a guess' } })
    expect([path, guess.status]).toEqual([path, 400])
  }
  expect(await sendEvent()).toEqual(before)
  for (const [method, path, body] of attempts) {
    await grow()
    const done = await admin.call(method, path, { body: { ...body, current_password: admin.password } })
    expect([path, done.ok]).toEqual([path, true])
  }
  // The password counts for the calls after it, too.
  const enabled = await admin.call('PUT', `/api/admin/users/${reader.id}/disabled`, {
    body: { is_disabled: true },
  })
  expect(enabled.status).toBe(200)
})

test('what a call needs can be given beforehand, with the own password only', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await given.passwordsGiven(shop, '25 hours')
  const prove = async (current_password: string) =>
    (await admin.call('POST', '/api/me/proof', { body: { current_password } })).status
  expect(await add(admin, 'editor@books.example')).toBe('auth.reauthentication_needed')
  expect(await prove('a guess')).toBe(400)
  expect(await add(admin, 'editor@books.example')).toBe('auth.reauthentication_needed')
  expect(await prove(admin.password)).toBe(200)
  expect(await add(admin, 'editor@books.example')).toBe('invited')
  for (let guess = 0; guess < 9; guess += 1) await prove('a guess')
  expect(await prove('a guess')).toBe(429)
})

test('an admin whose role ends while a call is on its way makes no other', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await shop.person({ role: 'admin' })
  const { database } = shop.services
  const change = await database.pool.connect()
  await change.query('begin')
  await change.query(`select pg_advisory_xact_lock(hashtext('lectern admins'))`)
  await change.query(`delete from user_roles where role = 'admin' and user_id = '${admin.id}'`)
  const body = { email: 'late@thief.example', password: 'nine good words', role: 'admin' }
  const attempts = [
    admin.call('PUT', `/api/admin/users/${reader.id}/roles/admin`, { body: {} }),
    admin.call('POST', '/api/admin/users', { body }),
    admin.call('POST', '/api/admin/admins', { body: { email: body.email } }),
  ]
  await untilWaiting(database, attempts.length)
  await change.query('commit')
  change.release()
  for (const response of await Promise.all(attempts)) {
    expect(await response.json()).toMatchObject({ code: 'access.forbidden' })
  }
})

test('an admin who was invited, but has no password yet, does not count as the one who remains', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const email = 'editor@books.example'
  const ownRole = `/api/admin/users/${admin.id}/roles/admin`
  expect(await add(admin, email)).toBe('invited')
  const refused = await admin.call('DELETE', ownRole)
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'users.last_admin' }])
  expect((await admin.call('GET', '/api/admin/admins')).status).toBe(200)

  const { token_hash } = linkIn((await mailsTo(shop, email, 1))[0]!)
  const editor = await openBrowser(shop.url)
  await editor.auth.verifyOtp({ token_hash, type: 'recovery' })
  expect((await editor.auth.updateUser({ password: 'nine good words' })).error).toBeNull()
  expect((await admin.call('DELETE', ownRole)).ok).toBe(true)
  expect((await admin.call('GET', '/api/admin/admins')).status).toBe(403)
})

test('all admins get a mail about a new admin and about one who is none any more', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin', email: 'author@books.example' })
  const second = await shop.person({ role: 'admin', email: 'second@books.example' })
  const reader = await shop.person({ email: 'reader@books.example' })
  const role = `/api/admin/users/${reader.id}/roles/admin`
  const account = { email: 'made@books.example', password: 'nine good words', role: 'admin' }
  await admin.call('PUT', role, { body: {} })
  // Nothing has changed.
  await admin.call('PUT', role, { body: {} })
  await admin.call('PUT', `/api/admin/users/${second.id}/disabled`, { body: { is_disabled: true } })
  await admin.call('DELETE', role)
  await admin.call('POST', '/api/admin/users', { body: account })
  await add(admin, 'invited@books.example')
  const subjects = async (email: string, count: number) =>
    (await mailsTo(shop, email, count))
      .map(({ subject }) => String(subject))
      .toSorted((a, b) => a.localeCompare(b))
  expect(await subjects(admin.email, 5)).toEqual([
    'invited@books.example is an admin of your shop now',
    'made@books.example is an admin of your shop now',
    'reader@books.example is an admin of your shop now',
    'reader@books.example is no admin of your shop any more',
    'second@books.example was disabled as an admin',
  ])
  expect(await subjects(second.email, 2)).toEqual([
    'reader@books.example is an admin of your shop now',
    'second@books.example was disabled as an admin',
  ])
  const [notice] = await mailsTo(shop, reader.email, 2)
  expect(notice!.text).toContain('/admin/settings/admins')
  expect(await subjects('made@books.example', 1)).toEqual([
    'invited@books.example is an admin of your shop now',
  ])
})

// Where the shop says so, an admin needs a second factor for the admin area, and can always add one.

test('an admin without a second factor is refused in the admin area, adds one, and is in', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  const settings = async () => {
    const response = await admin.call('GET', '/api/admin/settings/shop')
    return { status: response.status, document: await response.json() }
  }
  const me = async () => (await admin.call('GET', '/api/me')).json()
  expect(await me()).toMatchObject({ is_admin: true, has_factor: false })
  const values = { admins_need_factor: true }
  expect(await saveGroup(admin, { revision: 0, values })).toEqual({ status: 200 })
  expect(await settings()).toMatchObject({ status: 403, document: { code: 'access.factor_needed' } })
  expect((await admin.call('GET', '/api/account')).status).toBe(200)

  const { auth } = await openBrowser(shop.url)
  const { error } = await auth.setSession({ access_token: admin.token, refresh_token: 'not used yet' })
  expect(error).toBeNull()
  const { factorId, secret } = await enrol({ auth })
  await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, new Date()) })
  expect(await settings()).toMatchObject({ status: 200, document: { values } })
  expect(await me()).toMatchObject({ has_factor: true })
})
