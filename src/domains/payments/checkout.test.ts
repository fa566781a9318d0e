// Checkouts that are lost, late or out of date: a purchase is paid at most once, and at the price that is shown.
import { expect, test } from 'vitest'
import { changeCheckouts, changeProducts, changeJobs } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { begin, buy, openPaidShop, own, sessionOf, settle, sendEvent, buyAndPay } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { cancelUnopened, settlePurchase } from './settle.ts'
import { randomUUID } from 'node:crypto'
import { hourMs } from '#contract/durations.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { refundJob } from './refunds.ts'
import { findOrOpen } from './open-checkout.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { clock, time } from '#test/time.ts'

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)

/** Stripe has opened a checkout; its response was lost. */
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
  await changeProducts(shop.services.db, { name: 'Another name' })
  await run(shop, `update profiles set email = 'other@example.com'`)
  shop.services.settings.get().tax.has_tax = true
  const two = await Promise.all([buy(shop, user), buy(shop, user)])
  expect(two.map(({ checkout_url }) => checkout_url)).toEqual([session.url, session.url])
  expect(stripe.sessions.size).toBe(1)
})

test('at another price it is over and never shown, and the buyer pays that price, once', async () => {
  await using lost = await openUnanswered()
  const { stripe, shop, user } = lost
  await given.price(shop, 'digital', 9.5)
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
  stripe.clearKeys()
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
  await changeCheckouts(shop.services.db, { session_id: null, url: null })
  stripe.pay(sessionOf(stripe, id).id)
  await sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id)))
  await soon(shop, async () => (await own(user))[0]!.status).toBe('completed')
})

test('what is no longer for sale is not sold by a checkout that was left open, unless it is paid already', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const [annas, bens] = [await buy(shop, anna), await buy(shop, ben)]
  stripe.pay(sessionOf(stripe, bens.id).id)
  await changeProducts(shop.services.db, { is_for_sale: false })
  const again = (person: typeof anna) =>
    person.call('POST', '/api/purchases', { body: { product_id: annas.product.id } })
  expect(await (await again(anna)).json()).toMatchObject({ code: 'products.not_found' })
  expect(sessionOf(stripe, annas.id).status).toBe('expired')
  expect(await (await again(ben)).json()).toMatchObject({ id: bens.id, status: 'completed' })
})

test('a checkout that comes after its purchase was ended is neither stored nor shown, and cannot be paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const payments = shop.services.payments.current()!
  const openCheckout = payments.openCheckout.bind(payments)
  payments.openCheckout = async (ask) => {
    const response = await openCheckout(ask)
    payments.openCheckout = openCheckout
    await cancelUnopened(shop.services.db, { id: ask.purchase_id, attempt: 1 })
    return response
  }
  expect(await (await begin(shop, user)).json()).toMatchObject({ code: 'purchases.checkout_ended' })
  expect([...stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired'])
  expect((await buy(shop, user)).checkout_url).toMatch(stripe.url)
})

// Stripe saves a response under its idempotency key, a 500 too: another attempt has another key, and one checkout is shown.

const open = ({ sessions }: StripeStandIn) => [...sessions.values()].filter(({ status }) => status === 'open')

async function attemptOf(shop: TestShop): Promise<number> {
  const { rows } = await shop.services.database.pool.query<{ attempt: number }>(
    'select attempt from checkouts',
  )
  return rows[0]!.attempt
}

test('a 500 when a checkout is opened is asked again under another key, at once and at the next click', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.fail(1)
  expect((await buy(shop, user)).checkout_url).toMatch(stripe.url)
  expect([stripe.sessions.size, await attemptOf(shop)]).toEqual([1, 2])

  const other = await shop.person()
  // The job that looks for older checkouts asks, too.
  stripe.fail(2, 'POST sessions')
  expect(await (await begin(shop, other)).json()).toMatchObject({ code: 'payments.unavailable' })
  const { id, checkout_url } = await buy(shop, other)
  expect(checkout_url).toBe(sessionOf(stripe, id).url)
  stripe.pay(sessionOf(stripe, id).id)
  expect(await settle(other, id)).toBe('completed')
})

test('a second click waits for the first one, however slow Stripe is', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.fail(1, 'POST sessions', 'slow')
  const made = await Promise.all([1, 2, 3].map(() => buy(shop, user)))
  expect(new Set(made.map(({ checkout_url }) => checkout_url))).toEqual(
    new Set([[...stripe.sessions.values()][0]!.url]),
  )
  expect([stripe.sessions.size, await attemptOf(shop)]).toEqual([1, 1])
})

test('what a failed attempt has made all the same is found and ended, and the next one is shown', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.faults.doneErrors = 1
  expect((await begin(shop, user)).status).toBe(503)
  expect(open(stripe)).toHaveLength(2)
  stripe.faults.doneErrors = 0
  const { checkout_url } = await buy(shop, user)
  await soon(shop, () => open(stripe).map(({ url }) => url)).toEqual([checkout_url])
  expect(stripe.sessions.size).toBe(3)
})

test('a buyer does not wait while older checkouts cannot be listed; a job ends them later', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.faults.doneErrors = 1
  await begin(shop, user)
  stripe.faults.doneErrors = 0
  stripe.fail(1, 'GET sessions')
  const { checkout_url } = await buy(shop, user)
  expect(checkout_url).toMatch(stripe.url)
  await soon(shop, () => open(stripe).map(({ url }) => url)).toEqual([checkout_url])
})

test('an older attempt that is paid all the same needs attention', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.fail(2)
  await begin(shop, user)
  // As the lost response of the first attempt would have made it.
  const made = await run(shop, 'select parameters from checkouts')
  const { success_url, metadata } = (
    made.rows as { parameters: { success_url: string; metadata: { purchase_id: string } } }[]
  )[0]!.parameters
  const form = new URLSearchParams({
    client_reference_id: metadata.purchase_id,
    success_url,
    'line_items[0][price_data][unit_amount]': '1499',
    'line_items[0][price_data][currency]': 'usd',
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value])),
  })
  const older = stripe.create(form)
  stripe.pay(older.id)
  expect((await buy(shop, user)).checkout_url).toMatch(stripe.url)
  await sendEvent(shop, stripe.event('checkout.session.completed', older))
  const needs = async () =>
    ((await (await admin.call('GET', '/api/admin/payments')).json()) as AttentionList).items.filter(
      ({ kind }) => kind === 'event',
    )
  await soon(shop, needs).toMatchObject([
    { kind: 'event', reason: expect.stringContaining('which the shop does not have, or has with another') },
  ])
})

test('two clicks at once lead to one checkout, though some attempts fail', async () => {
  let chance = 0
  await using stripe = await startStripe({ random: () => (chance++ % 3) / 3 })
  await using shop = await openPaidShop(stripe)
  for (let round = 0; round < 3; round += 1) {
    const user = await shop.person()
    stripe.faults.doneErrors = 0.3
    const shown = new Set<string | null>()
    for (let click = 0; click < 3; click += 1) {
      const responses = await Promise.all([begin(shop, user), begin(shop, user)])
      for (const response of responses)
        if (response.ok) shown.add(((await response.json()) as PurchaseMade).checkout_url)
    }
    expect(shown.size).toBe(1)
    stripe.faults.doneErrors = 0
    const [purchase] = await own(user)
    const left = () => open(stripe).filter(({ client_reference_id }) => client_reference_id === purchase!.id)
    await soon(shop, () => left().map(({ url }) => url)).toEqual([...shown])
  }
})

test('a time-out keeps the key: the checkout that was made is the one that opens', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.faults.cut = 1
  expect((await begin(shop, user)).status).toBe(503)
  stripe.faults.cut = 0
  expect((await buy(shop, user)).checkout_url).toBe(open(stripe)[0]!.url)
  expect([stripe.sessions.size, await attemptOf(shop)]).toEqual([1, 1])
})

test('a process that ends between storing an attempt and asking for it does not block the next attempt', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  await buy(shop, user)
  await changeCheckouts(shop.services.db, { session_id: null, url: null, attempt: 7 })
  const { checkout_url } = await buy(shop, user)
  await soon(shop, () => open(stripe).map(({ url }) => url)).toEqual([checkout_url])
})

test('a refund whose request gets a 500 is made at the next retry, once, also where the 500 had made it', async () => {
  for (const fault of ['errors', 'doneErrors'] as const) {
    await using stripe = await startStripe()
    await using shop = await openPaidShop(stripe, { hasWorkers: false })
    const user = await shop.person()
    const id = await buyAndPay(shop, stripe, user)
    expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
    const { rows } = await shop.services.database.pool.query<{ id: string }>('select id from refund_requests')
    const attempt = { id: randomUUID(), number: 1, isLast: false }
    const refund = () => refundJob.run(shop.services, { request_id: rows[0]!.id }, attempt)
    stripe.fail(1, 'POST refunds', fault)
    await expect(refund()).rejects.toThrow('cannot be reached')
    await refund()
    expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1499])
    expect((await own(user))[0]!.status).toBe('refunded')
  }
})

test('a refund whose first response is late keeps its key while other requests succeed, and is made once', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 5 } })
  const { rows } = await run(shop, 'select id as request_id from refund_requests')
  const [asked] = rows as { request_id: string }[]
  const refund = () => refundJob.run(shop.services, asked!, { id: randomUUID(), number: 1, isLast: false })
  stripe.failInTurn('POST refunds', ['hung', 'away', 'away'])
  for (let at = 0; at < 4; at += 1) await refund().catch(() => undefined)
  await expect.poll(() => stripe.refunds.length).toBeGreaterThan(0)
  await refund()
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([500])
  const kept = await run(shop, 'select attempt, status from refund_requests')
  expect(kept.rows).toEqual([{ attempt: 1, status: 'done' }])
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
  stripe.clearKeys()
  await changeJobs(shop.services.database, { state: 'retry' }, 'payments.refund')
  const open = `select from pgboss.job where name = 'payments.refund' and state < 'completed'`
  await soon(shop, async () => (await run(shop, open)).rowCount).toBe(0)
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([500])
})

// Checkouts that Stripe refuses to open: a refusal blocks no later purchase.

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

test('an outdated checkout that Stripe would refuse is canceled without asking it, and blocks no purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.fail(2)
  expect((await begin(shop, user)).status).toBe(503)
  await run(shop, `update purchases set amount = 0.3`)
  await run(
    shop,
    `update checkouts set parameters = jsonb_set(parameters, '{line_items,0,price_data,unit_amount}', '30')`,
  )
  const { checkout_url, amount } = await buy(shop, user)
  expect([checkout_url, amount]).toEqual([expect.stringMatching(stripe.url), 14.99])
  expect(await (await admin.call('GET', '/api/admin/payments')).json()).toMatchObject({ faults: [] })
})

test('a refusal that comes after another process has opened a checkout ends nothing', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const payments = shop.services.payments.current()!
  const openCheckout = payments.openCheckout.bind(payments)
  payments.openCheckout = async (ask) => {
    payments.openCheckout = openCheckout
    await findOrOpen({ ...shop.services, provider: payments }, user, ask.purchase_id)
    return { refusal: 'No.' }
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
  await run(shop, `update checkouts set parameters = parameters || '{"customer_email": "nobody"}'`)
  const { id, checkout_url } = await buy(shop, user)
  expect(checkout_url).toBe(sessionOf(stripe, id).url)
  expect(sessionOf(stripe, id).customer_email).toBe(null)
  expect(await (await admin.call('GET', '/api/admin/payments')).json()).toMatchObject({ faults: [] })
})

// Concurrent settlements of one purchase: the one that waits for the lock uses what the other has written.

/** Nobody gets on with this purchase until it is let go, and `change` is done. */
async function holdUp({ services }: TestShop, id: string) {
  const client = await services.database.pool.connect()
  await client.query('begin')
  await client.query('select from purchases where id = $1 for update', [id])
  return {
    /** As soon as so many wait for it. */
    async release(count: number, change = 'select 1') {
      await untilWaiting(services.database, count)
      await client.query(change)
      await client.query('commit')
      client.release()
    },
  }
}

test('a held payment that went back sends one mail, though two settle it concurrently', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { id } = await buy(shop, await shop.person())
  const session = sessionOf(stripe, id)
  stripe.pay(session.id)
  session.currency = 'eur'
  stripe.refund(session.payment_intent as string)
  const first = await holdUp(shop, id)
  const two = [settlePurchase(shop.services, id), settlePurchase(shop.services, id)]
  await first.release(2)
  expect(await Promise.all(two)).toEqual(['canceled', 'canceled'])
  const { rows } = await shop.services.database.pool.query(
    `select count(*) from pgboss.job where name = 'mail.refund'`,
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('a purchase that is canceled and paid concurrently is paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, clock })
  const { id } = await buy(shop, await shop.person())
  await changeCheckouts(shop.services.db, { session_id: null })
  time.ahead = 26 * hourMs
  const first = await holdUp(shop, id)
  const givenUp = settlePurchase(shop.services, id)
  await first.release(1, `update purchases set status = 'completed'`)
  expect(await givenUp).toBe('completed')
  const { rows } = await shop.services.database.pool.query('select status from purchases')
  expect(rows).toEqual([{ status: 'completed' }])
})
