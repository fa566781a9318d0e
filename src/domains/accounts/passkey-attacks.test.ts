// What is refused of passkeys: forged, replayed, another's, and those that a stolen session would add.
import { afterAll, expect, test } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { openBrowser, signedIn } from '#test/auth-client.ts'
import { makeAuthenticator, type Faults } from '#test/authenticator.ts'
import { addPasskey, signInByPasskey } from '#test/passkeys.ts'
import { halfSignedIn, tokenOf } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

const faulty: [string, Faults][] = [
  ['of another origin', { origin: 'https://shop.evil.example' }],
  ['of another shop', { rpId: 'evil.example' }],
  ['of an unverified user', { isVerified: false }],
  ['of another ceremony', { type: 'payment.get' }],
]

const failed = 'webauthn_verification_failed'

async function withPasskey() {
  const person = await signedIn(shop)
  return { ...person, ...(await addPasskey(shop, person)) }
}

test.for(faulty)('a response %s neither adds a passkey nor signs in', async ([, faults]) => {
  const person = await signedIn(shop)
  await expect(addPasskey(shop, person, faults)).rejects.toMatchObject({ code: failed })
  const { authenticator } = await addPasskey(shop, person)
  const { error } = await signInByPasskey(await openBrowser(shop.url), authenticator, faults)
  expect(error?.code).toBe(failed)
})

test('a counter that goes back or stays is of a copied passkey', async () => {
  const { authenticator } = await withPasskey()
  const browser = await openBrowser(shop.url)
  const used = async (counter: number) =>
    (await signInByPasskey(browser, authenticator, { counter })).error?.code
  expect(await used(40)).toBeUndefined()
  expect(await used(40)).toBe(failed)
  expect(await used(39)).toBe(failed)
  expect(await used(0)).toBe(failed)
  expect(await used(41)).toBeUndefined()
})

test('of one response sent twice at a moment one signs in, and none afterwards', async () => {
  const { authenticator } = await withPasskey()
  const { auth } = await openBrowser(shop.url)
  const { data } = await auth.passkey.startAuthentication()
  const { challenge_id, options } = data!
  const credential = authenticator.get({ challenge: options.challenge, rpId: options.rpId! })
  const send = () =>
    shop.call('POST', '/auth/v1/passkeys/authentication/verify', { body: { challenge_id, credential } })
  const responses = await Promise.all([send(), send(), send()])
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  expect(await (await send()).json()).toMatchObject({ code: 'webauthn_challenge_expired' })
})

test('a challenge ends after five minutes, with the first response, and is good for its own purpose', async () => {
  const { authenticator, auth } = await withPasskey()
  const browser = await openBrowser(shop.url)
  const started = (await browser.auth.passkey.startAuthentication()).data!
  const { challenge, rpId } = started.options
  const respond = (faults: Faults = {}) =>
    browser.auth.passkey.verifyAuthentication({
      challengeId: started.challenge_id,
      credential: authenticator.get({ challenge, rpId: rpId! }, faults),
    })
  expect((await respond({ origin: 'https://evil.example' })).error?.code).toBe(failed)
  expect((await respond()).error?.code).toBe('webauthn_challenge_expired')

  const late = (await browser.auth.passkey.startAuthentication()).data!
  time.ahead += 5 * minuteMs
  const credential = authenticator.get({ challenge: late.options.challenge, rpId: late.options.rpId! })
  const isLate = await browser.auth.passkey.verifyAuthentication({
    challengeId: late.challenge_id,
    credential,
  })
  expect(isLate.error?.code).toBe('webauthn_challenge_expired')

  // The challenge of a sign-in adds no passkey.
  const other = (await browser.auth.passkey.startAuthentication()).data!
  const fresh = makeAuthenticator(shop.url)
  const created = fresh.create({ challenge: other.options.challenge, rpId: rpId!, userId: 'x' })
  const added = await auth.passkey.verifyRegistration({
    challengeId: other.challenge_id,
    credential: created,
  })
  expect(added.error?.code).toBe('webauthn_challenge_expired')
})

test("another's challenge, and another's passkey as a second factor, are refused", async () => {
  const owner = await withPasskey()
  const thief = await withPasskey()
  const half = await halfSignedIn(shop, owner.email)
  const token = await tokenOf(half)
  const challenge = async (factor_id: string, as: string) => {
    const body = { webauthn: { rpId: 'x', rpOrigins: [] } }
    return (await shop.call('POST', `/auth/v1/factors/${factor_id}/challenge`, { body, token: as })).json()
  }
  const own = await challenge(owner.id, token)
  const { publicKey } = own.webauthn.credential_options
  const verify = async (factor_id: string, challenge_id: string) => {
    const credential_response = thief.authenticator.get(publicKey)
    const body = { challenge_id, webauthn: { type: 'request', credential_response } }
    return (await shop.call('POST', `/auth/v1/factors/${factor_id}/verify`, { body, token })).json()
  }
  expect(await verify(owner.id, own.id)).toMatchObject({ code: 'mfa_verification_failed' })
  expect(await verify(thief.id, own.id)).toMatchObject({ code: 'mfa_factor_not_found' })
  expect(await challenge(thief.id, token)).toMatchObject({ code: 'mfa_factor_not_found' })
  const thiefs = await halfSignedIn(shop, thief.email)
  const theirs = await challenge(thief.id, await tokenOf(thiefs))
  expect(await verify(owner.id, theirs.id)).toMatchObject({ code: 'mfa_challenge_expired' })

  // A registration that another session has started.
  const stranger = await signedIn(shop)
  const victim = await signedIn(shop)
  const { challenge_id, options } = (await victim.auth.passkey.startRegistration()).data!
  const asked = { challenge: options.challenge, rpId: options.rp.id!, userId: options.user.id }
  const credential = makeAuthenticator(shop.url).create(asked)
  const taken = await stranger.auth.passkey.verifyRegistration({ challengeId: challenge_id, credential })
  expect(taken.error?.code).toBe('webauthn_challenge_expired')
})

test('a passkey with the handle of another account, or a known key in another account, is refused', async () => {
  const owner = await withPasskey()
  const thief = await withPasskey()
  const { auth } = await openBrowser(shop.url)
  const { challenge_id, options } = (await auth.passkey.startAuthentication()).data!
  const credential = thief.authenticator.get({ challenge: options.challenge, rpId: options.rpId! })
  credential.response.userHandle = Buffer.from(owner.user_id).toString('base64url')
  const { error } = await auth.passkey.verifyAuthentication({ challengeId: challenge_id, credential })
  expect(error?.code).toBe(failed)

  const stranger = await signedIn(shop)
  const started = (await stranger.auth.passkey.startRegistration()).data!
  const { rp, user } = started.options
  const asked = { challenge: started.options.challenge, rpId: rp.id!, userId: user.id }
  const copied = owner.authenticator.create(asked)
  const added = await stranger.auth.passkey.verifyRegistration({
    challengeId: started.challenge_id,
    credential: copied,
  })
  expect(added.error?.code).toBe('webauthn_credential_exists')
})

test('a stolen session adds no passkey once the sign-in is ten minutes old', async () => {
  const { auth } = await signedIn(shop)
  time.ahead += 10 * minuteMs
  expect((await auth.passkey.startRegistration()).error?.code).toBe('reauthentication_needed')
})

test('a stranger who signs up with an address that is not theirs has no session to add a passkey with', async () => {
  const { auth } = await openBrowser(shop.url)
  await auth.signUp({ email: 'owner@example.com', password: 'a password of a stranger' })
  expect((await auth.passkey.startRegistration()).error?.name).toBe('AuthSessionMissingError')
})

test('a disabled account signs in with no passkey', async () => {
  const { authenticator, user_id } = await withPasskey()
  const { pool } = shop.services.database
  await pool.query(`update auth.users set banned_until = now() + interval '1 year' where id = $1`, [user_id])
  const { error } = await signInByPasskey(await openBrowser(shop.url), authenticator)
  expect(error?.code).toBe('user_banned')
})

test('challenges of a network are limited', async () => {
  await using limited = await openTestShop({ clock, isEmpty: true })
  const ask = () => limited.call('POST', '/auth/v1/passkeys/authentication/options', { body: {} })
  const statuses = []
  for (let n = 0; n < 201; n++) statuses.push((await ask()).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(200)
  expect(statuses.at(-1)).toBe(429)
})
