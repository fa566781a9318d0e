// Second factors with the real auth-js: enrolled, asked for, refused, removed.
import { afterAll, expect, test } from 'vitest'
import { giveRole } from '#test/factories.ts'
import { openBrowser, password, signedIn } from '#test/auth-client.ts'
import { codeOf, enrol, halfSignedIn, nextStep, tokenOf, withFactor, wrongCode } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())

type Auth = Awaited<ReturnType<typeof openBrowser>>['auth']

const level = async (auth: Auth) => (await auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel

test('a factor is shown as a picture, proven by a code, and raises the session', async () => {
  const { auth, events, email, session } = await signedIn(shop)
  const factor = await enrol({ auth })
  expect(factor.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/)
  expect(factor.uri).toMatch(/^otpauth:\/\/totp\//)
  expect(decodeURIComponent(factor.uri)).toContain(email)
  expect((await auth.mfa.listFactors()).data).toMatchObject({ all: [{ status: 'unverified' }], totp: [] })

  const { data, error } = await auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) })
  expect(error).toBeNull()
  expect(events.at(-1)).toBe('MFA_CHALLENGE_VERIFIED')
  expect(data!.refresh_token).not.toBe(session.refresh_token)
  expect(await level(auth)).toBe('aal2')
  expect((await auth.mfa.listFactors()).data!.totp).toMatchObject([
    { friendly_name: 'Phone', status: 'verified' },
  ])
  expect((await auth.refreshSession()).error).toBeNull()
  expect(await level(auth)).toBe('aal2')
})

test('the first factor ends the sessions that have none', async () => {
  const { auth, email } = await signedIn(shop)
  const elsewhere = await openBrowser(shop.url)
  await elsewhere.auth.signInWithPassword({ email, password })
  const factor = await enrol({ auth })
  await auth.mfa.challengeAndVerify({ ...factor, code: codeOf(factor.secret) })
  expect((await elsewhere.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await auth.getUser()).error).toBeNull()
})

test('a code is taken once, even when it is sent ten times at once', async () => {
  const { auth, factorId, secret, code: used } = await withFactor(shop)
  const replay = await auth.mfa.challengeAndVerify({ factorId, code: used })
  expect(replay.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })

  nextStep()
  const code = codeOf(secret)
  const token = (await auth.getSession()).data.session!.access_token
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { data } = await auth.mfa.challenge({ factorId })
      const body = { challenge_id: data!.id, code }
      return (await shop.call('POST', `/auth/v1/factors/${factorId}/verify`, { body, token })).status
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([200, 422]))
})

test('after a sign-in with the password alone, nothing that guards the account can be changed', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const { auth } = await openBrowser(shop.url)
  await auth.signInWithPassword({ email, password })
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  })
  const refusals = [
    await auth.updateUser({ password: 'another password' }),
    await auth.updateUser({ email: 'thief@example.com' }),
    await auth.mfa.unenroll({ factorId }),
    await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Thief' }),
    await auth.updateUser({ data: { city: 'York' } }),
  ]
  expect(refusals.map(({ error }) => error?.code)).toEqual(Array(5).fill('insufficient_aal'))

  nextStep()
  expect((await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })).error).toBeNull()
  expect((await auth.updateUser({ password: 'another password' })).error).toBeNull()
  expect((await auth.mfa.unenroll({ factorId })).error).toBeNull()
  await auth.refreshSession()
  expect(await level(auth)).toBe('aal1')
})

test('an admin with a second factor is admin only after giving it', async () => {
  const { email, factorId, secret, user_id } = await withFactor(shop)
  await giveRole(shop.services.db, user_id)
  const { auth } = await openBrowser(shop.url)
  await auth.signInWithPassword({ email, password })
  const make = async () => {
    const token = (await auth.getSession()).data.session!.access_token
    return (await shop.call('POST', '/functions/v1/admin-create-user', { body: {}, token })).status
  }
  expect(await make()).toBe(403)
  nextStep()
  await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
  expect(await make()).toBe(422)
})

test('a wrong code, an old challenge, an unknown challenge and a used one are refused', async () => {
  const { auth, factorId, secret } = await withFactor(shop)
  const verify = async (challengeId: string, code: string) =>
    (await auth.mfa.verify({ factorId, challengeId, code })).error?.code
  nextStep()
  const { data } = await auth.mfa.challenge({ factorId })
  for (const code of [
    wrongCode(secret),
    '',
    'abcdef',
    '12345',
    '1234567',
    'äöüäöü',
    '\ud800bcdef',
    '１２３٤٥x',
  ]) {
    expect(await verify(data!.id, code)).toBe('mfa_verification_failed')
  }
  expect(await verify(crypto.randomUUID(), codeOf(secret))).toBe('mfa_challenge_expired')
  time.ahead += 301_000
  expect(await verify(data!.id, codeOf(secret))).toBe('mfa_challenge_expired')
  const fresh = await auth.mfa.challenge({ factorId })
  expect(await verify(fresh.data!.id, codeOf(secret))).toBeUndefined()
  nextStep()
  expect(await verify(fresh.data!.id, codeOf(secret))).toBe('mfa_challenge_expired')
})

test('a code counts in the digits of every script, and with hyphens between them', async () => {
  const { auth, factorId, secret } = await withFactor(shop)
  for (const write of [inArabicDigits, inDevanagariDigits, withHyphen]) {
    nextStep()
    const code = write(codeOf(secret))
    expect((await auth.mfa.challengeAndVerify({ factorId, code })).error, code).toBeNull()
  }
})

const inScript = (zero: number) => (code: string) =>
  code.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const inArabicDigits = inScript(0x0660)
const inDevanagariDigits = inScript(0x0966)
const withHyphen = (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`

test('another user’s factor does not exist', async () => {
  const { factorId } = await withFactor(shop)
  const { auth } = await signedIn(shop)
  const refusals = [
    await auth.mfa.challenge({ factorId }),
    await auth.mfa.unenroll({ factorId }),
    await auth.mfa.verify({ factorId, challengeId: crypto.randomUUID(), code: '000000' }),
  ]
  for (const { error } of refusals) expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
})

test('names are unique, and ten factors are enough', async () => {
  const { auth, email } = await signedIn(shop)
  for (let n = 0; n < 10; n++) await enrol({ auth }, `Phone ${n}`)
  const again = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone 1' })
  expect(again.error?.code).toBe('too_many_enrolled_mfa_factors')
  time.ahead = 11 * 60_000
  await auth.signInWithPassword({ email, password })
  await enrol({ auth })
  expect((await auth.mfa.listFactors()).data!.all).toHaveLength(1)
  const twin = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  expect(twin.error?.code).toBe('mfa_factor_name_conflict')
})

test('a factor enrolled beforehand cannot be verified in place of the account’s own', async () => {
  const { auth, email } = await signedIn(shop)
  const thief = await halfSignedIn(shop, email)
  const beforehand = await enrol(thief, 'Thief')
  const asked = await thief.auth.mfa.challenge({ factorId: beforehand.factorId })
  // Two more, so that the owner's enrolment is neither the first nor the last.
  const own = await enrol({ auth }, 'Owner')
  await enrol(thief, 'Thief again')
  await auth.mfa.challengeAndVerify({ ...own, code: codeOf(own.secret) })
  expect((await auth.mfa.listFactors()).data!.all).toMatchObject([{ friendly_name: 'Owner' }])

  const later = await halfSignedIn(shop, email)
  for (const { auth: theirs } of [thief, later]) {
    const response = { ...beforehand, challengeId: asked.data!.id, code: codeOf(beforehand.secret) }
    expect((await theirs.mfa.verify(response)).error).not.toBeNull()
    expect((await theirs.mfa.challenge({ factorId: beforehand.factorId })).error).not.toBeNull()
  }
  expect(await level(later.auth)).toBe('aal1')
})

test('an enrolment that is under way needs the factor that was verified meanwhile', async () => {
  const { email, user_id } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  // As one would be that a bug left.
  const stranger = await signedIn(shop)
  const other = await enrol(stranger)
  const { pool } = shop.services.database
  await pool.query(`update auth.mfa_factors set user_id = '${user_id}' where id = '${other.factorId}'`)
  const { error } = await half.auth.mfa.challengeAndVerify({ ...other, code: codeOf(other.secret) })
  expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' })
})

test('of two factors verified at the same moment one becomes the first, and the other is void', async () => {
  for (let round = 0; round < 5; round++) {
    const { auth, email } = await signedIn(shop)
    const other = await halfSignedIn(shop, email)
    const rivals = await Promise.all(
      [{ auth }, other].map(async (browser, n) => {
        const factor = await enrol(browser, `Phone ${n}`)
        const { data } = await browser.auth.mfa.challenge({ factorId: factor.factorId })
        return { browser, factor, challengeId: data!.id }
      }),
    )
    const responses = await Promise.all(
      rivals.map(({ browser, factor, challengeId }) =>
        browser.auth.mfa.verify({ ...factor, challengeId, code: codeOf(factor.secret) }),
      ),
    )
    expect(responses.filter(({ error }) => error === null)).toHaveLength(1)
    const { rows } = await shop.services.database.pool.query(
      `select status from auth.mfa_factors join auth.users on users.id = user_id where email = '${email}'`,
    )
    expect(rows).toEqual([{ status: 'verified' }])
  }
})

test('sixty enrolments at once leave ten, and sixty challenges twenty', async () => {
  const browser = await signedIn(shop)
  const token = await tokenOf(browser)
  const enrolments = await Promise.all(
    Array.from({ length: 60 }, () =>
      shop.call('POST', '/auth/v1/factors', { body: { factor_type: 'totp' }, token }),
    ),
  )
  expect(enrolments.filter(({ ok }) => ok)).toHaveLength(10)
  const { data } = await browser.auth.mfa.listFactors()
  expect(data!.all).toHaveLength(10)
  const challenges = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      shop.call('POST', `/auth/v1/factors/${data!.all[n % 10]!.id}/challenge`, { token }),
    ),
  )
  expect(challenges.filter(({ ok }) => ok)).toHaveLength(20)
  expect(challenges.find(({ ok }) => !ok)!.status).toBe(429)
})

test('a challenge is only accepted from the session that asked for it', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  const other = await halfSignedIn(shop, email)
  const { data } = await half.auth.mfa.challenge({ factorId })
  nextStep()
  const response = { factorId, challengeId: data!.id, code: codeOf(secret) }
  expect((await other.auth.mfa.verify(response)).error?.code).toBe('mfa_challenge_expired')
  expect((await half.auth.mfa.verify(response)).error).toBeNull()
})

test('an enrolment not finished within ten minutes is void', async () => {
  const browser = await signedIn(shop)
  const factor = await enrol(browser)
  time.ahead = 10 * 60_000
  expect((await browser.auth.mfa.challenge({ factorId: factor.factorId })).error?.code).toBe(
    'mfa_factor_not_found',
  )
})

test('the database holds no secret in the clear', async () => {
  const { secret, factorId } = await withFactor(shop)
  const { rows } = await shop.services.database.pool.query(
    `select secret from auth.mfa_factors where id = '${factorId}'`,
  )
  expect(rows[0].secret.includes(Buffer.from(secret))).toBe(false)
})
