// Checkouts that did not go as they should: nobody can pay twice for one purchase, or pay for nothing, unnoticed.
import { expect, test } from 'vitest'
import type { Need } from './contract/needs-attention.ts'
import type { Page } from '#platform/contract/paging.ts'
import { begin, buy, openPaidShop, own, sessionOf, settle, tell } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { clock, time } from '#test/time.ts'
import { cancelUnopened } from './cancel-purchase.ts'
import { findOrOpen } from './open-checkout.ts'
import { reconcile } from './reconcile.ts'

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)

/** Stripe has made it, and its answer never came. */
async function openUnanswered() {
  const stripe = await startStripe()
  const shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.faults.cut = 1
  expect((await begin(shop, user)).status).toBe(503)
  stripe.faults.cut = 0
  const [session] = [...stripe.sessions.values()]
  const close = async () => {
    await shop[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  }
  return { stripe, shop, user, session: session!, [Symbol.asyncDispose]: close }
}

test('a checkout whose response never came is the one that opens, whatever was renamed or set meanwhile', async () => {
  await using lost = await openUnanswered()
  const { stripe, shop, user, session } = lost
  await run(shop, `update products set name = 'Another name'`)
  await run(shop, `update profiles set email = 'other@example.com'`)
  shop.services.config.payments!.hasTax = true
  const two = await Promise.all([buy(shop, user), buy(shop, user)])
  expect(two.map(({ checkout_url }) => checkout_url)).toEqual([session.url, session.url])
  expect(stripe.sessions.size).toBe(1)
})

test('at another price it is over and never shown, and the buyer pays that price, once', async () => {
  await using lost = await openUnanswered()
  const { stripe, shop, user } = lost
  await run(shop, 'update products set price = 9.5')
  await soon(shop, async () => (await shop.product('digital')).price).toBe(9.5)
  const second = await buy(shop, user)
  expect([second.amount, stripe.sessions.size]).toEqual([9.5, 2])
  const { rows } = await run(shop, 'select status from purchases order by number')
  expect(rows).toEqual([{ status: 'canceled' }, { status: 'pending' }])
  expect(second.checkout_url).toBe(sessionOf(stripe, second.id).url)
  stripe.pay(sessionOf(stripe, second.id).id)
  expect(await settle(user, second.id)).toBe('completed')
})

test('while a bank takes days to pay there is no second checkout, though Stripe has forgotten the first key', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  stripe.pay(session.id, { isSlow: true })
  stripe.forgetKeys()
  expect(await buy(shop, user)).toMatchObject({ id, status: 'pending', checkout_url: null })
  expect(stripe.sessions.size).toBe(1)
  stripe.arrive(session.id)
  expect(await settle(user, id)).toBe('completed')
})

test('what is paid in a checkout that the shop has lost completes its purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id } = await buy(shop, user)
  await run(shop, 'update checkouts set session_id = null, url = null')
  stripe.pay(sessionOf(stripe, id).id)
  await tell(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id)))
  await soon(shop, async () => (await own(user))[0]!.status).toBe('completed')
})

test('a payment without a purchase needs attention until it went back; another shop’s does not', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const list = async () =>
    ((await (await admin.call('GET', '/api/admin/payments')).json()) as Page<Need>).items
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  // As after going back to an older backup.
  await run(shop, 'delete from purchases')
  stripe.pay(session.id)
  await reconcile(shop.services)
  await soon(shop, list).toMatchObject([
    { kind: 'event', reason: expect.stringContaining(`$14.99 was paid for the purchase ${id}`) },
  ])
  const again = () => admin.call('POST', `/api/admin/payments/event/${stripe.events[0]!.id}/again`)
  expect((await again()).status).toBe(200)
  await soon(shop, list).toHaveLength(1)
  stripe.refund(session.payment_intent as string)
  // The one before may have come so late that it has seen it.
  expect([200, 409]).toContain((await again()).status)
  await soon(shop, list).toEqual([])

  await tell(shop, stripe.event('checkout.session.completed', { ...session, id: 'cs_of_another_account' }))
  const other = sessionOf(stripe, (await buy(shop, user)).id)
  await run(shop, 'delete from purchases')
  other.success_url = 'https://another.example/dashboard'
  stripe.pay(other.id)
  await reconcile(shop.services)
  await soon(
    shop,
    async () => (await run(shop, 'select from payment_events where handled_at is null')).rowCount,
  ).toBe(0)
  expect(await list()).toEqual([])
})

test('a payment that names no purchase, or something else in its place, needs attention too', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  for (const metadata of [{}, { purchase_id: 'order 7' }]) {
    const session = sessionOf(stripe, (await buy(shop, user)).id)
    await run(shop, 'delete from purchases')
    stripe.pay(session.id)
    Object.assign(session, { metadata })
    await tell(shop, stripe.event('checkout.session.completed', session))
  }
  const reasons = async () =>
    ((await (await admin.call('GET', '/api/admin/payments')).json()) as Page<Need>).items.map(
      ({ reason }) => reason,
    )
  const words = '$14.99 was paid in a checkout that names no purchase.'
  await soon(shop, reasons).toEqual([words, words])
})

test('checkouts from before the live key are canceled and do not block a purchase', async () => {
  await using stripe = await startStripe()
  stripe.env['STRIPE_SECRET_KEY'] = 'sk_live_x'
  await using shop = await openPaidShop(stripe, { clock, env: { SITE_URL: 'https://shop.example' } })
  const user = await shop.person()
  const before = await buy(shop, user)
  await run(shop, 'update checkouts set is_live = false')
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
  await run(shop, 'update checkouts set is_live = true')
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

test('what Stripe refuses to sell is canceled at once, so that the next click may succeed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const price = async (dollars: number) => {
    await run(shop, `update products set price = ${dollars}`)
    await soon(shop, async () => (await shop.product('digital')).price).toBe(dollars)
  }
  await price(0.3)
  expect(await (await begin(shop, user)).json()).toMatchObject({ status: 409, code: 'payments.refused' })
  expect((await own(user)).map(({ status }) => status)).toEqual(['canceled'])
  await price(3)
  expect(await buy(shop, user)).toMatchObject({ status: 'pending', amount: 3 })
})

test('what is no longer for sale is not sold by a checkout that was left open, unless it is paid already', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const [annas, bens] = [await buy(shop, anna), await buy(shop, ben)]
  stripe.pay(sessionOf(stripe, bens.id).id)
  await run(shop, 'update products set is_for_sale = false')
  const again = (person: typeof anna) =>
    person.call('POST', '/api/purchases', { body: { product_id: annas.product.id } })
  expect(await (await again(anna)).json()).toMatchObject({ code: 'products.not_found' })
  expect(sessionOf(stripe, annas.id).status).toBe('expired')
  expect(await (await again(ben)).json()).toMatchObject({ id: bens.id, status: 'completed' })
})

test('a refund asked for again, long after Stripe has forgotten its key, is made once', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  stripe.pay(sessionOf(stripe, id).id)
  await settle(user, id)
  const body = { amount: 5, reason: '' }
  expect((await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body })).status).toBe(202)
  await soon(shop, async () => (await own(user))[0]!.status).toBe('partially_refunded')
  stripe.forgetKeys()
  await run(shop, `update pgboss.job set state = 'retry' where name = 'payments.refund'`)
  const open = `select from pgboss.job where name = 'payments.refund' and state < 'completed'`
  await soon(shop, async () => (await run(shop, open)).rowCount).toBe(0)
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([500])
})

test('an outdated checkout that Stripe would refuse is canceled without asking it, and blocks no purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.fail(2)
  expect((await begin(shop, user)).status).toBe(503)
  await run(shop, `update purchases set amount = 0.3`)
  await run(
    shop,
    `update checkouts set asked = jsonb_set(asked, '{line_items,0,price_data,unit_amount}', '30')`,
  )
  const { checkout_url, amount } = await buy(shop, user)
  expect([checkout_url, amount]).toEqual([expect.stringMatching(stripe.url), 14.99])
  expect(await (await admin.call('GET', '/api/admin/payments')).json()).toMatchObject({ faults: [] })
})

test('a checkout that comes after its purchase was ended is neither stored nor shown, and cannot be paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { payments } = shop.services
  const openCheckout = payments!.openCheckout.bind(payments)
  payments!.openCheckout = async (ask) => {
    const response = await openCheckout(ask)
    payments!.openCheckout = openCheckout
    await cancelUnopened(shop.services.db, { id: ask.purchase_id, attempt: 1 })
    return response
  }
  expect(await (await begin(shop, user)).json()).toMatchObject({ code: 'purchases.checkout_ended' })
  expect([...stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired'])
  expect((await buy(shop, user)).checkout_url).toMatch(stripe.url)
})

test('a refusal that comes after another process has opened a checkout ends nothing', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { payments } = shop.services
  const openCheckout = payments!.openCheckout.bind(payments)
  payments!.openCheckout = async (ask) => {
    payments!.openCheckout = openCheckout
    await findOrOpen({ ...shop.services, payments: payments! }, user, ask.purchase_id)
    return { refused: 'No.' }
  }
  const { id, checkout_url } = await buy(shop, user)
  expect(checkout_url).toBe(sessionOf(stripe, id).url)
  expect((await own(user)).map(({ status }) => status)).toEqual(['pending'])
})

test('an email address that Stripe refuses is left out, and is no fault of the product', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.fail(2)
  expect((await begin(shop, user)).status).toBe(503)
  await run(shop, `update checkouts set asked = asked || '{"customer_email": "nobody"}'`)
  const { id, checkout_url } = await buy(shop, user)
  expect(checkout_url).toBe(sessionOf(stripe, id).url)
  expect(sessionOf(stripe, id).customer_email).toBe(null)
  expect(await (await admin.call('GET', '/api/admin/payments')).json()).toMatchObject({ faults: [] })
})
