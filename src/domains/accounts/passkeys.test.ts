// Passkeys with the real auth-js: added, listed, named, used to sign in and as a second factor, removed.
import { afterAll, expect, test } from 'vitest'
import { mailsTo, openBrowser, signedIn, type Browser } from '#test/auth-client.ts'
import { addPasskey, signInByPasskey } from '#test/passkeys.ts'
import { codeOf, halfSignedIn, nextStep, tokenOf, withFactor } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

const tenMinutes = 10 * 60_000
type Auth = Browser['auth']
const level = async (auth: Auth) => (await auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel

async function withPasskey() {
  const person = await signedIn(shop)
  return { ...person, ...(await addPasskey(shop, person)) }
}

test('a passkey is added, is a second factor at once, and signs in without an address or a password', async () => {
  const { auth, email, authenticator, id, user_id } = await withPasskey()
  expect((await auth.getUser()).error).toBeNull()
  expect((await auth.updateUser({ data: { city: 'York' } })).error).toBeNull()
  await auth.refreshSession()
  expect(await level(auth)).toBe('aal2')
  expect((await auth.mfa.listFactors()).data!.webauthn).toMatchObject([{ id, status: 'verified' }])

  const elsewhere = await openBrowser(shop.url)
  const { data, error } = await signInByPasskey(elsewhere, authenticator)
  expect(error).toBeNull()
  expect(data!.user).toMatchObject({ id: user_id, email })
  expect(elsewhere.events).toContain('SIGNED_IN')
  expect(await level(elsewhere.auth)).toBe('aal2')
  expect((await elsewhere.auth.updateUser({ password: 'another password' })).error).toBeNull()
  expect((await elsewhere.auth.passkey.list()).data).toMatchObject([
    { id, friendly_name: '', last_used_at: expect.any(String), is_of_old_address: false },
  ])
  const subjects = (await mailsTo(shop, email, 2)).map(({ subject }) => subject)
  expect(subjects).toContain('A passkey was added to your account')
})

test('the options name the shop alone: no address, no passkey, and a verified user', async () => {
  const { auth } = await openBrowser(shop.url)
  const { data } = await auth.passkey.startAuthentication()
  const { hostname } = new URL(shop.url)
  expect(data!.options).toEqual({
    challenge: expect.any(String),
    rpId: hostname,
    timeout: 300_000,
    userVerification: 'required',
  })
  const person = await withPasskey()
  const started = await person.auth.passkey.startRegistration()
  expect(started.error?.code).toBe('insufficient_aal')
})

test('after the password alone a passkey is asked for, and any one of the account is taken', async () => {
  const { email, authenticator, id } = await withPasskey()
  const { auth, events } = await halfSignedIn(shop, email)
  expect((await auth.updateUser({ password: 'another password' })).error?.code).toBe('insufficient_aal')
  expect((await auth.passkey.startRegistration()).error?.code).toBe('insufficient_aal')
  expect((await auth.passkey.list()).error?.code).toBe('insufficient_aal')
  const token = await tokenOf({ auth })
  const path = `/auth/v1/factors/${id}`
  const body = { webauthn: { rpId: 'elsewhere.example' } }
  const asked = await (await shop.call('POST', `${path}/challenge`, { body, token })).json()
  const { publicKey } = asked.webauthn.credential_options
  expect(publicKey.allowCredentials).toMatchObject([{ id: authenticator.id }])
  const credential_response = authenticator.get(publicKey)
  const response = { challenge_id: asked.id, webauthn: { type: 'request', credential_response } }
  const verified = await shop.call('POST', `${path}/verify`, { body: response, token })
  expect(verified.status).toBe(200)
  const session = await verified.json()
  await auth.setSession(session)
  expect(await level(auth)).toBe('aal2')
  expect(events).toContain('SIGNED_IN')
  const again = await shop.call('POST', `${path}/verify`, { body: response, token })
  expect(await again.json()).toMatchObject({ code: 'mfa_challenge_expired' })
})

test('a passkey is a proof of the last ten minutes, and its enrolment is none', async () => {
  const { auth, authenticator, id, email } = await withPasskey()
  expect((await auth.updateUser({ password: 'another password' })).error?.code).toBe('insufficient_aal')
  const elsewhere = await openBrowser(shop.url)
  await signInByPasskey(elsewhere, authenticator)
  time.ahead += tenMinutes
  expect((await elsewhere.auth.passkey.delete({ passkeyId: id })).error?.code).toBe('insufficient_aal')
  await signInByPasskey(elsewhere, authenticator)
  expect((await elsewhere.auth.passkey.delete({ passkeyId: id })).error).toBeNull()
  expect((await elsewhere.auth.passkey.list()).data).toEqual([])
  expect((await signInByPasskey(elsewhere, authenticator)).error?.code).toBe('webauthn_verification_failed')
  expect(
    (await (await halfSignedIn(shop, email)).auth.updateUser({ data: { city: 'York' } })).error,
  ).toBeNull()
  const subjects = (await mailsTo(shop, email, 2)).map(({ subject }) => subject)
  expect(subjects).toContain('A passkey was removed from your account')
})

test('the first passkey ends the sessions that have no factor; a second one needs the first', async () => {
  const person = await signedIn(shop)
  const elsewhere = await halfSignedIn(shop, person.email)
  const { authenticator } = await addPasskey(shop, person)
  expect((await elsewhere.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  const browser = await openBrowser(shop.url)
  await signInByPasskey(browser, authenticator)
  const second = await addPasskey(shop, browser)
  const started = await browser.auth.passkey.startRegistration()
  expect(started.data!.options.excludeCredentials).toMatchObject([
    { id: authenticator.id },
    { id: second.authenticator.id },
  ])
  const rename = (passkeyId: string, friendlyName: string) =>
    browser.auth.passkey.update({ passkeyId, friendlyName })
  expect((await rename(second.id, 'Phone')).data).toMatchObject({ id: second.id, friendly_name: 'Phone' })
  const [first] = (await browser.auth.passkey.list()).data!
  expect((await rename(first!.id, 'Phone')).error?.code).toBe('mfa_factor_name_conflict')
  const stranger = await signedIn(shop)
  const theirs = await stranger.auth.passkey.update({ passkeyId: second.id, friendlyName: 'Mine' })
  expect(theirs.error?.code).toBe('mfa_factor_not_found')
  expect((await stranger.auth.passkey.delete({ passkeyId: second.id })).error?.code).toBe(
    'mfa_factor_not_found',
  )
})

test('beside an authenticator app, a passkey needs its code, and either is taken afterwards', async () => {
  const { auth, factorId, secret, email } = await withFactor(shop)
  expect((await auth.passkey.startRegistration()).error?.code).toBe('insufficient_aal')
  nextStep()
  await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
  const { authenticator } = await addPasskey(shop, { auth })
  expect((await auth.mfa.listFactors()).data).toMatchObject({ totp: [{}], webauthn: [{}] })
  const half = await halfSignedIn(shop, email)
  nextStep()
  expect((await half.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })).error).toBeNull()
  expect((await signInByPasskey(await openBrowser(shop.url), authenticator)).error).toBeNull()
})

test('ten passkeys are enough', async () => {
  const person = await signedIn(shop)
  let { authenticator } = await addPasskey(shop, person)
  const browser = await openBrowser(shop.url)
  await signInByPasskey(browser, authenticator)
  for (let n = 1; n < 10; n++) ({ authenticator } = await addPasskey(shop, browser))
  expect((await browser.auth.passkey.startRegistration()).error?.code).toBe('too_many_enrolled_mfa_factors')
})

test('at another address of the shop, a passkey is not asked for, and the list says why', async () => {
  const { email, id, auth } = await withPasskey()
  const { pool } = shop.services.database
  await pool.query(`update auth.passkeys set rp_id = 'old.example' where factor_id = $1`, [id])
  const half = await halfSignedIn(shop, email)
  const refused = await half.auth.mfa.challenge({ factorId: id })
  expect(refused.error?.code).toBe('webauthn_other_address')
  expect((await auth.passkey.list()).data).toMatchObject([{ id, is_of_old_address: true }])
})
