// Recovery codes with the real auth-js: made, given in place of a second factor, refused, replaced.
import type { AuthClient } from '@supabase/auth-js'
import { afterAll, expect, test } from 'vitest'
import { mailsTo, password, signedIn } from '#test/auth-client.ts'
import { codeOf, halfSignedIn, nextStep, tokenOf, withFactor } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

const tenMinutes = 10 * 60_000

async function withCodes() {
  const person = await withFactor(shop)
  const { data, error } = await person.auth.mfa.recoveryCodes.generate()
  if (error) throw error
  return { ...person, ...data }
}

type Auth = InstanceType<typeof AuthClient>
const level = async (auth: Auth) => (await auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel
const verify = async (auth: Auth, code: string) => (await auth.mfa.recoveryCodes.verify({ code })).error?.code

test('ten codes come with the first factor, each raises a session once, and the owner is told', async () => {
  const { codes, total, email, id, auth: own } = await withCodes()
  expect(total).toBe(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[2-9a-km-z]{16}$/)
  expect((await own.mfa.listFactors()).data!.recovery_code).toMatchObject([
    { id, friendly_name: 'Recovery codes', status: 'verified' },
  ])

  const { auth, events } = await halfSignedIn(shop, email)
  const status = async () => (await auth.mfa.recoveryCodes.getStatus()).data
  expect(await status()).toEqual({ id, type: 'recovery_code', total: 10, remaining: 10 })
  const typed = codes[0]!.toUpperCase().replaceAll(/(.{4})(?=.)/g, '$1- ')
  const { data, error } = await auth.mfa.recoveryCodes.verify({ code: typed })
  expect(error).toBeNull()
  expect(data!.user.email).toBe(email)
  expect(events.at(-1)).toBe('MFA_CHALLENGE_VERIFIED')
  expect(await level(auth)).toBe('aal2')
  expect((await status())!.remaining).toBe(9)
  const { currentAuthenticationMethods } = (await auth.mfa.getAuthenticatorAssuranceLevel()).data!
  expect(currentAuthenticationMethods).toContainEqual(
    expect.objectContaining({ method: 'mfa/recovery_code' }),
  )
  const mails = await mailsTo(shop, email, 3)
  expect(mails.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'New recovery codes were made for your account',
      'A recovery code of your account was used',
    ]),
  )
  expect(mails.map(({ text }) => text).join()).toContain('left: 9')
  expect(await verify((await halfSignedIn(shop, email)).auth, codes[0]!)).toBe('mfa_verification_failed')
})

test('a code is a proof: the lost factor is removed with it, and the codes end with the last one', async () => {
  const { codes, email, factorId } = await withCodes()
  const { auth } = await halfSignedIn(shop, email)
  expect((await auth.mfa.unenroll({ factorId })).error?.code).toBe('insufficient_aal')
  expect(await verify(auth, codes[3]!)).toBeUndefined()
  expect((await auth.mfa.unenroll({ factorId })).error).toBeNull()
  expect((await auth.mfa.listFactors()).data!.all).toEqual([])
  expect((await auth.mfa.recoveryCodes.getStatus()).error?.code).toBe('mfa_factor_not_found')
  expect(
    (await (await halfSignedIn(shop, email)).auth.updateUser({ data: { city: 'York' } })).error,
  ).toBeNull()
})

test('new codes replace the old, need a recent proof, and one set is enough', async () => {
  const { auth, codes, email, factorId, secret, id } = await withCodes()
  expect((await auth.mfa.recoveryCodes.generate()).error?.code).toBe('mfa_verified_factor_exists')
  expect((await auth.mfa.recoveryCodes.regenerate()).error?.code).toBe('insufficient_aal')
  nextStep()
  await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
  const { data } = await auth.mfa.recoveryCodes.regenerate()
  expect(data!.id).toBe(id)
  expect(data!.codes.filter((code) => codes.includes(code))).toEqual([])
  const half = await halfSignedIn(shop, email)
  expect(await verify(half.auth, codes[1]!)).toBe('mfa_verification_failed')
  expect(await verify(half.auth, data!.codes[1]!)).toBeUndefined()

  time.ahead += tenMinutes
  for (const refused of [
    await auth.mfa.recoveryCodes.regenerate(),
    await auth.mfa.recoveryCodes.unenroll(),
  ]) {
    expect(refused.error?.code).toBe('insufficient_aal')
  }
  nextStep()
  await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
  expect((await auth.mfa.recoveryCodes.unenroll()).error?.code).toBe('reauthentication_needed')
  const body = { current_password: password }
  const token = await tokenOf({ auth })
  expect((await shop.call('DELETE', '/auth/v1/factors/recovery-codes', { body, token })).status).toBe(200)
  expect((await auth.mfa.listFactors()).data!.recovery_code).toEqual([])
})

test('without a factor, after the password alone, or long after the factor was added, no codes are made', async () => {
  const { auth } = await signedIn(shop)
  expect((await auth.mfa.recoveryCodes.generate()).error?.code).toBe('mfa_recovery_codes_sole_factor')
  const { email, auth: own } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  expect((await half.auth.mfa.recoveryCodes.generate()).error?.code).toBe('insufficient_aal')
  expect((await half.auth.mfa.recoveryCodes.regenerate()).error?.code).toBe('insufficient_aal')
  time.ahead += tenMinutes
  const late = { body: { current_password: password }, token: await tokenOf({ auth: own }) }
  const response = await shop.call('POST', '/auth/v1/factors/recovery-codes', late)
  expect(await response.json()).toMatchObject({ code: 'insufficient_aal' })
})

test('sent ten times at once a code is taken once, and two sets made at once are one', async () => {
  const { auth, email } = await withFactor(shop)
  const sets = await Promise.all(Array.from({ length: 5 }, () => auth.mfa.recoveryCodes.generate()))
  const [made, ...others] = sets.flatMap(({ data }) => data ?? [])
  expect(others).toEqual([])
  const token = await tokenOf(await halfSignedIn(shop, email))
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const body = { code: made!.codes[0] }
      return (await shop.call('POST', '/auth/v1/factors/recovery-codes/verify', { body, token })).status
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([200, 422]))
})

test('another user’s codes raise nothing, and the codes are no factor for a challenge', async () => {
  const stranger = await withCodes()
  const { email, id } = await withCodes()
  const { auth } = await halfSignedIn(shop, email)
  expect(await verify(auth, stranger.codes[0]!)).toBe('mfa_verification_failed')
  for (const refused of [
    await auth.mfa.challenge({ factorId: id }),
    await stranger.auth.mfa.unenroll({ factorId: stranger.id }),
    await stranger.auth.mfa.unenroll({ factorId: id }),
  ]) {
    expect(refused.error?.code).toMatch(/^(mfa_factor_not_found|insufficient_aal)$/)
  }
  expect(await verify(auth, '')).toBe('mfa_verification_failed')
})

test('wrong codes make a device wait as wrong codes of an authenticator do', async () => {
  await using limited = await openTestShop({ clock, isEmpty: true, hasWorkers: false })
  const { email } = await withFactor(limited)
  const { auth } = await halfSignedIn(limited, email)
  for (let n = 0; n < 10; n++) expect(await verify(auth, `wrong ${n}`)).toBe('mfa_verification_failed')
  expect(await verify(auth, 'wrong')).toBe('over_request_rate_limit')
})

test('the database holds no code, and the second factor alone is counted as a factor', async () => {
  const { codes, user_id } = await withCodes()
  const { rows } = await shop.services.database.pool.query(
    `select encode(hash, 'escape') as hash from auth.recovery_codes`,
  )
  expect(rows.length).toBeGreaterThanOrEqual(10)
  expect(rows.filter(({ hash }) => codes.includes(hash))).toEqual([])
  const admin = await shop.person({ role: 'admin' })
  const user = await admin.call('GET', `/api/admin/users/${user_id}`)
  expect(await user.json()).toMatchObject({ factors: 1 })
})
