// How long one waits after wrong codes, and whom that keeps waiting.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#contract/durations.ts'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { signedIn, type Browser } from '#test/auth-client.ts'
import { codeOf, enrol, halfSignedIn, nextStep, tokenOf, withFactor, wrongCode } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, hasWorkers: false, env: { TRUST_PROXY: '1' } })
afterAll(() => shop[Symbol.asyncDispose]())

const { pool } = shop.services.database
let networks = 0

/** Each time from another network. */
async function give(browser: Pick<Browser, 'auth'>, factorId: string, code: string, device?: string) {
  const { data } = await browser.auth.mfa.challenge({ factorId })
  const headers = {
    'x-forwarded-for': `198.51.100.${(networks += 1) % 250}`,
    ...(device && { [deviceHeader]: device }),
  }
  const path = `/auth/v1/factors/${factorId}/verify`
  const body = { challenge_id: data!.id, code }
  const response = await shop.call('POST', path, { body, headers, token: await tokenOf(browser) })
  const document = (await response.json()) as { message?: string }
  const wait = response.headers.get('retry-after')
  return { status: response.status, message: document.message, wait: wait === null ? 0 : Number(wait) / 60 }
}

async function giveWrongCodes(browser: Pick<Browser, 'auth'>, factorId: string, secret: string) {
  for (let n = 0; n < 10; n++) {
    expect((await give(browser, factorId, wrongCode(secret))).status).toBe(422)
  }
}

/** A device is known once a code was given on it. */
async function withKnownDevice() {
  const owner = await withFactor(shop)
  const device = randomUUID()
  nextStep()
  expect((await give(owner, owner.factorId, codeOf(owner.secret), device)).status).toBe(200)
  return { ...owner, device }
}

test('after ten wrong codes each further one is waited for, longer and longer, up to an hour', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  await giveWrongCodes(half, factorId, secret)
  for (const wait of [5, 10, 20, 40, 60, 60]) {
    nextStep()
    const refused = await give(half, factorId, codeOf(secret))
    expect(refused.status).toBe(429)
    expect(Math.ceil(refused.wait)).toBe(wait)
    expect(refused.message).toBe(`Too many wrong codes. Please try again in ${wait} minutes.`)
    time.ahead += wait * minuteMs
    await half.auth.refreshSession()
    expect((await give(half, factorId, wrongCode(secret))).status).toBe(422)
  }
  time.ahead += 60 * minuteMs
  await half.auth.refreshSession()
  expect((await give(half, factorId, codeOf(secret))).status).toBe(200)
})

test('a right code and a day without wrong ones begin anew', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  await giveWrongCodes(half, factorId, secret)
  time.ahead += dayMs
  await half.auth.refreshSession()
  for (let n = 0; n < 9; n++) await give(half, factorId, wrongCode(secret))
  expect((await give(half, factorId, codeOf(secret))).status).toBe(200)
  const again = await halfSignedIn(shop, email)
  await giveWrongCodes(again, factorId, secret)
})

test('who has only the password cannot keep the owner’s full session waiting', async () => {
  const owner = await withFactor(shop)
  const { email, factorId, secret } = owner
  await giveWrongCodes(await halfSignedIn(shop, email), factorId, secret)
  const half = await halfSignedIn(shop, email)
  nextStep()
  expect((await give(half, factorId, codeOf(secret))).status).toBe(429)
  expect((await give(owner, factorId, codeOf(secret))).status).toBe(200)
})

test('who has only the password cannot keep the owner waiting at a sign-in on a known device', async () => {
  const { email, factorId, secret, device } = await withKnownDevice()
  const thief = await halfSignedIn(shop, email)
  await giveWrongCodes(thief, factorId, secret)
  nextStep()
  expect((await give(thief, factorId, codeOf(secret), randomUUID())).status).toBe(429)
  const half = await halfSignedIn(shop, email)
  expect((await give(half, factorId, codeOf(secret), device)).status).toBe(200)
  nextStep()
  expect((await give(thief, factorId, codeOf(secret))).status).toBe(429)
})

test('on a known device too, ten wrong codes in a row are followed by a wait', async () => {
  const { email, factorId, secret, device } = await withKnownDevice()
  const half = await halfSignedIn(shop, email)
  for (let n = 0; n < 10; n++) {
    expect((await give(half, factorId, wrongCode(secret), device)).status).toBe(422)
  }
  nextStep()
  expect((await give(half, factorId, codeOf(secret), device)).status).toBe(429)
})

test('a changed password, a reset and the removal of the last factor end the wait', async () => {
  for (const change of ['password', 'reset', 'removal'] as const) {
    const owner = await withFactor(shop)
    const { email, factorId, secret, user_id } = owner
    await giveWrongCodes(await halfSignedIn(shop, email), factorId, secret)
    nextStep()
    expect((await give(owner, factorId, codeOf(secret))).status).toBe(200)
    if (change === 'password') await owner.auth.updateUser({ password: 'another password' })
    if (change === 'removal') await owner.auth.mfa.unenroll({ factorId })
    if (change === 'reset') {
      const { auth, db } = shop.services
      await db.transaction((tx) => auth.admin.resetFactors(tx, user_id))
    }
    const { rows } = await pool.query('select from auth.wrong_codes where user_id = $1', [user_id])
    expect(rows, change).toEqual([])
  }
})

test('an enrolment that is finished forgets the wrong codes that were given for it', async () => {
  const owner = await signedIn(shop)
  const { factorId, secret } = await enrol(owner)
  for (let n = 0; n < 9; n++) await give(owner, factorId, wrongCode(secret))
  expect((await give(owner, factorId, codeOf(secret))).status).toBe(200)
  const { rows } = await pool.query('select from auth.wrong_codes where user_id = $1', [owner.user_id])
  expect(rows).toEqual([])
})

test('of sixty wrong codes at once ten are looked at', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  const { data } = await half.auth.mfa.challenge({ factorId })
  const token = await tokenOf(half)
  const body = { challenge_id: data!.id, code: wrongCode(secret) }
  const responses = await Promise.all(
    Array.from({ length: 60 }, () =>
      shop.call('POST', `/auth/v1/factors/${factorId}/verify`, {
        body,
        token,
        headers: { 'x-forwarded-for': `198.51.100.${(networks += 1) % 250}` },
      }),
    ),
  )
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(10)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(50)
})
