// Checkouts that Stripe does not have under the present key: opened in the other mode, or gone.
import { expect, test } from 'vitest'
import { changeCheckouts } from '#test/changes.ts'
import { buy, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { reconcile } from './reconcile.ts'

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)

test('checkouts from before the live key are canceled and do not block a purchase', async () => {
  await using stripe = await startStripe()
  stripe.env['STRIPE_SECRET_KEY'] = 'sk_live_x'
  await using shop = await openPaidShop(stripe, { clock, env: { SITE_URL: 'https://shop.example' } })
  const user = await shop.person()
  const before = await buy(shop, user)
  await changeCheckouts(shop.services.db, { is_live: false })
  stripe.sessions.clear()
  const after = await buy(shop, user)
  expect([after.status, after.id === before.id]).toEqual(['pending', false])
  time.ahead = 10 * 60_000
  expect(await reconcile(shop.services)).toEqual({ asked: 2, failed: 0 })
  expect((await own(user)).map(({ id }) => id)).toEqual([after.id])
})

test('a checkout from before a test key is not shown, and is shown again with the live key', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const before = await buy(shop, user)
  await changeCheckouts(shop.services.db, { is_live: true })
  const test = await buy(shop, user)
  expect([test.status, test.id === before.id]).toEqual(['pending', false])
  expect((await own(user)).map(({ status }) => status)).toEqual(['pending', 'pending'])
})

test('a checkout that Stripe does not know blocks no purchase: a test is canceled, a live one is held until Stripe knows it', async () => {
  for (const isLive of [false, true]) {
    await using stripe = await startStripe()
    if (isLive) stripe.env['STRIPE_SECRET_KEY'] = 'sk_live_x'
    await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
    const user = await shop.person()
    const before = await buy(shop, user)
    const session = sessionOf(stripe, before.id)
    stripe.sessions.delete(session.id)
    const after = await buy(shop, user)
    expect([after.status, after.id === before.id]).toEqual(['pending', false])
    expect(await settle(user, before.id)).toBe('canceled')
    const waiting = async () =>
      (await run(shop, 'select from checkouts where held_reason is not null')).rowCount
    expect(await waiting()).toBe(isLive ? 1 : 0)
    stripe.sessions.set(session.id, session)
    expect([await settle(user, before.id), await waiting()]).toEqual(['canceled', 0])
    stripe.pay(session.id)
    expect(await settle(user, before.id)).toBe('completed')
  }
})
