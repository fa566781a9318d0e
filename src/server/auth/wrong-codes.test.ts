// How long one waits after wrong codes, and whom that keeps waiting.
import { afterAll, expect, test } from 'vitest'
import type { Browser } from '#test/auth-client.ts'
import { codeOf, halfSignedIn, nextStep, tokenOf, withFactor, wrongCode } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, hasWorkers: false, env: { TRUST_PROXY: '1' } })
afterAll(() => shop[Symbol.asyncDispose]())

const minute = 60_000
let networks = 0

/** Each time from another network. */
async function give(browser: Pick<Browser, 'auth'>, factorId: string, code: string) {
  const { data } = await browser.auth.mfa.challenge({ factorId })
  const headers = { 'x-forwarded-for': `198.51.100.${(networks += 1) % 250}` }
  const path = `/auth/v1/factors/${factorId}/verify`
  const body = { challenge_id: data!.id, code }
  const answer = await shop.call('POST', path, { body, headers, token: await tokenOf(browser) })
  const document = (await answer.json()) as { message?: string }
  const wait = answer.headers.get('retry-after')
  return { status: answer.status, message: document.message, wait: wait === null ? 0 : Number(wait) / 60 }
}

async function giveWrongCodes(browser: Pick<Browser, 'auth'>, factorId: string, secret: string) {
  for (let n = 0; n < 10; n++) {
    expect((await give(browser, factorId, wrongCode(secret))).status).toBe(422)
  }
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
    time.ahead += wait * minute
    await half.auth.refreshSession()
    expect((await give(half, factorId, wrongCode(secret))).status).toBe(422)
  }
  time.ahead += 60 * minute
  await half.auth.refreshSession()
  expect((await give(half, factorId, codeOf(secret))).status).toBe(200)
})

test('a right code and a day without wrong ones begin anew', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  await giveWrongCodes(half, factorId, secret)
  time.ahead += 24 * 60 * minute
  await half.auth.refreshSession()
  for (let n = 0; n < 9; n++) await give(half, factorId, wrongCode(secret))
  expect((await give(half, factorId, codeOf(secret))).status).toBe(200)
  const again = await halfSignedIn(shop, email)
  await giveWrongCodes(again, factorId, secret)
})

test('who has only the password cannot keep the owner’s own session waiting', async () => {
  const owner = await withFactor(shop)
  const { email, factorId, secret } = owner
  await giveWrongCodes(await halfSignedIn(shop, email), factorId, secret)
  const half = await halfSignedIn(shop, email)
  nextStep()
  expect((await give(half, factorId, codeOf(secret))).status).toBe(429)
  expect((await give(owner, factorId, codeOf(secret))).status).toBe(200)
})

test('of sixty wrong codes at once ten are looked at', async () => {
  const { email, factorId, secret } = await withFactor(shop)
  const half = await halfSignedIn(shop, email)
  const { data } = await half.auth.mfa.challenge({ factorId })
  const token = await tokenOf(half)
  const body = { challenge_id: data!.id, code: wrongCode(secret) }
  const answers = await Promise.all(
    Array.from({ length: 60 }, () =>
      shop.call('POST', `/auth/v1/factors/${factorId}/verify`, {
        body,
        token,
        headers: { 'x-forwarded-for': `198.51.100.${(networks += 1) % 250}` },
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(50)
})
