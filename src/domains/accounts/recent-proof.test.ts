// What guards an account is changed with a proof at most ten minutes old, and its owner hears of it.
import { afterAll, expect, test } from 'vitest'
import { untilWaiting } from '#test/lock-waiters.ts'
import { linkIn, mailsTo, password, signedIn, someone, type Browser } from '#test/auth-client.ts'
import { codeOf, enrol, halfSignedIn, nextStep, tokenOf, withFactor } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

const tenMinutes = 10 * 60_000

async function ask(browser: Pick<Browser, 'auth'>, method: string, path: string, body?: object) {
  const response = await shop.call(method, `/auth/v1${path}`, { body, token: await tokenOf(browser) })
  const { code } = (response.status === 204 ? {} : await response.json()) as { code?: string }
  return code ?? response.status
}

const isAlive = async ({ auth }: Pick<Browser, 'auth'>) => !(await auth.getUser()).error

const subjectsTo = async (email: string, count: number) =>
  (await mailsTo(shop, email, count)).map(({ subject }) => subject)

test('ten minutes after the sign-in, nothing that guards the account is changed without the password', async () => {
  const browser = await signedIn(shop)
  const other = await halfSignedIn(shop, browser.email)
  const begun = await enrol(browser, 'Begun in time')
  time.ahead = tenMinutes - 5_000
  await enrol(browser, 'In time')
  time.ahead = tenMinutes
  const attempts: [method: string, path: string, body?: object][] = [
    ['POST', '/factors', { factor_type: 'totp' }],
    ['DELETE', `/factors/${begun.factorId}`],
    ['PUT', '/user', { password: 'another password' }],
    // A stale session must not learn whether a guess is the password.
    ['PUT', '/user', { password }],
    ['PUT', '/user', { email: someone() }],
    ['POST', '/logout?scope=others'],
  ]
  for (const [method, path, body] of attempts) {
    expect(await ask(browser, method, path, body), `${method} ${path}`).toBe('reauthentication_needed')
    const guess = { ...body, current_password: 'a guess' }
    expect(await ask(browser, method, path, guess), `${method} ${path}`).toBe('invalid_credentials')
  }
  expect(await isAlive(other)).toBe(true)
  await browser.auth.refreshSession()
  expect(await ask(browser, 'POST', '/factors', { factor_type: 'totp' })).toBe('reauthentication_needed')

  const proof = { current_password: password }
  expect(await ask(browser, 'POST', '/factors', { factor_type: 'totp', ...proof })).toBe(200)
  expect(await ask(browser, 'PUT', '/user', { email: someone(), ...proof })).toBe(200)
  expect(await ask(browser, 'POST', '/logout?scope=others', proof)).toBe(204)
  expect(await isAlive(other)).toBe(false)
  expect(await ask(browser, 'PUT', '/user', { password: 'another password', ...proof })).toBe(200)
})

test('neither an enrolment nor its verification is a proof', async () => {
  const browser = await signedIn(shop)
  time.ahead = tenMinutes - 5_000
  const factor = await enrol(browser)
  time.ahead = tenMinutes + 60_000
  const verified = await browser.auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) })
  expect(verified.error).toBeNull()
  const proof = { current_password: password }
  for (const [method, path, body] of [
    ['PUT', '/user', { password: 'another password', ...proof }],
    ['PUT', '/user', { email: someone(), ...proof }],
    ['POST', '/factors', { factor_type: 'totp', ...proof }],
    ['DELETE', `/factors/${factor.factorId}`, proof],
    ['POST', '/logout?scope=others', proof],
  ] as const) {
    expect(await ask(browser, method, path, body), `${method} ${path}`).toBe('insufficient_aal')
  }

  nextStep()
  const proven = await browser.auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) })
  expect(proven.error).toBeNull()
  expect(await ask(browser, 'DELETE', `/factors/${factor.factorId}`)).toBe('reauthentication_needed')
  expect(await ask(browser, 'DELETE', `/factors/${factor.factorId}`, proof)).toBe(200)
})

test('where there is a second factor, its code is as recent as the sign-in', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const browser = await halfSignedIn(shop, email)
  nextStep()
  await browser.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
  expect(await ask(browser, 'POST', '/factors', { factor_type: 'totp' })).toBe(200)
  time.ahead += tenMinutes
  const proof = { factor_type: 'totp', current_password: password }
  expect(await ask(browser, 'POST', '/factors', proof)).toBe('insufficient_aal')
  await browser.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
  expect(await ask(browser, 'POST', '/factors', { factor_type: 'totp' })).toBe('reauthentication_needed')
  expect(await ask(browser, 'POST', '/factors', proof)).toBe(200)
})

test('a stale session signs itself out, also when it asks for all, and no other', async () => {
  for (const scope of ['local', 'global'] as const) {
    const browser = await signedIn(shop)
    const other = await halfSignedIn(shop, browser.email)
    time.ahead = tenMinutes
    const token = await tokenOf(browser)
    expect((await browser.auth.signOut({ scope })).error).toBeNull()
    expect((await shop.call('GET', '/auth/v1/user', { token })).status).toBe(403)
    expect(await isAlive(other)).toBe(true)
    time.ahead = 0
  }
})

test('signing the others out without a code fails in the client too, and signs nobody out', async () => {
  const owner = await withFactor(shop)
  const half = await halfSignedIn(shop, owner.email)
  const { error } = await half.auth.signOut({ scope: 'others' })
  expect(error).toMatchObject({ status: 400, code: 'insufficient_aal' })
  expect(await isAlive(owner)).toBe(true)
  expect(await isAlive(half)).toBe(true)
})

test('a right that ends while a change is on its way ends the change', async () => {
  const browser = await signedIn(shop)
  const token = await tokenOf(browser)
  const { pool } = shop.services.database
  const change = await pool.connect()
  await change.query('begin')
  await change.query(`select from auth.users where id = '${browser.user_id}' for update`)
  await change.query(`update auth.sessions set revoked_at = now() where user_id = '${browser.user_id}'`)
  const attempts = [
    shop.call('POST', '/auth/v1/factors', { body: { factor_type: 'totp' }, token }),
    shop.call('PUT', '/auth/v1/user', { body: { password: 'another password' }, token }),
    shop.call('PUT', '/auth/v1/user', { body: { data: { city: 'York' } }, token }),
    shop.call('POST', '/auth/v1/logout?scope=others', { token }),
  ]
  await untilWaiting(shop.services.database, attempts.length)
  await change.query('commit')
  change.release()
  for (const response of await Promise.all(attempts)) {
    expect(await response.json()).toMatchObject({ code: 'session_not_found' })
  }
  const { rows } = await pool.query(`select from auth.mfa_factors where user_id = '${browser.user_id}'`)
  expect(rows).toEqual([])
})

test('a password that was changed while it was compared proves nothing', async () => {
  const browser = await signedIn(shop)
  time.ahead = tenMinutes
  const token = await tokenOf(browser)
  const { pool } = shop.services.database
  const change = await pool.connect()
  await change.query('begin')
  await change.query(`update auth.users set password_hash = 'another' where id = '${browser.user_id}'`)
  const body = { factor_type: 'totp', current_password: password }
  const attempt = shop.call('POST', '/auth/v1/factors', { body, token })
  await untilWaiting(shop.services.database, 1)
  await change.query('commit')
  change.release()
  expect(await (await attempt).json()).toMatchObject({ code: 'invalid_credentials' })
})

test('the owner gets a mail of each change', async () => {
  const browser = await signedIn(shop)
  const { auth, email } = browser
  await halfSignedIn(shop, email)
  await auth.signOut({ scope: 'others' })
  // Nobody else is signed in any more: nothing to tell.
  await auth.signOut({ scope: 'others' })
  expect(await subjectsTo(email, 1)).toEqual(['Your other devices were signed out'])

  const factor = await enrol(browser)
  await auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) })
  expect((await subjectsTo(email, 2))[1]).toBe('A second factor was added to your account')
  nextStep()
  await auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) })
  await auth.mfa.unenroll(factor)
  expect((await subjectsTo(email, 3))[2]).toBe('A second factor was removed from your account')

  await auth.updateUser({ password: 'another password' })
  expect((await subjectsTo(email, 4))[3]).toBe('Your password was changed')
  const new_email = someone()
  await auth.updateUser({ email: new_email })
  const [asked] = await mailsTo(shop, new_email, 1)
  for (const mail of [asked!, (await mailsTo(shop, email, 5))[4]!]) await auth.verifyOtp(linkIn(mail))
  for (const [address, count] of [
    [email, 6],
    [new_email, 2],
  ] as const) {
    const notice = (await mailsTo(shop, address, count)).at(-1)!
    expect(notice.subject).toBe('The email address of your account was changed')
    expect(notice.text).toContain(new_email)
  }
})
