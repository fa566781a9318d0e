// The stand-in for Stripe, asked by Stripe's own library: what is done stays done once, however it is asked and told.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { libraryFor, order } from './stripe-library.ts'
import { startStripe } from './stripe.ts'
import { webhookSecret } from './webhooks.ts'

test('under one key a thing is made once, also when its response never came, and no other thing', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand, 3_000)
  const make = (params: typeof order) => stripe.checkout.sessions.create(params, { idempotencyKey: 'k' })
  stand.faults.cut = 1
  await expect(make(order)).rejects.toThrow(Stripe.errors.StripeConnectionError)
  stand.faults.cut = 0
  stand.faults.silent = 1
  await expect(make(order)).rejects.toThrow(Stripe.errors.StripeConnectionError)
  stand.faults.silent = 0
  const { id } = await make(order)
  expect([...stand.sessions.keys()]).toEqual([id])
  const other = { ...order, metadata: { purchase_id: 'p2' } }
  await expect(make(other)).rejects.toThrow(Stripe.errors.StripeIdempotencyError)
})

test('a 500 is saved under its key, like any response of what was executed; what comes before that is not', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand)
  const make = (key: string, params: object = order) =>
    stripe.checkout.sessions.create(params, { idempotencyKey: key })
  stand.fail(1)
  for (let again = 0; again < 2; again += 1)
    await expect(make('a')).rejects.toMatchObject({ statusCode: 500 })
  await expect(make('a')).rejects.toMatchObject({ headers: { 'idempotent-replayed': 'true' } })
  stand.fail(1, 'POST sessions', 'doneErrors')
  await expect(make('b')).rejects.toMatchObject({ statusCode: 500 })
  expect(stand.sessions.size).toBe(1)

  const cheap = structuredClone(order)
  cheap.line_items[0]!.price_data.unit_amount = 49
  for (let again = 0; again < 2; again += 1)
    await expect(make('c', cheap)).rejects.toMatchObject({ statusCode: 400, code: 'amount_too_small' })
  await expect(make('c')).rejects.toThrow(Stripe.errors.StripeIdempotencyError)

  await expect(make('d', { ...order, colour: 'red' })).rejects.toMatchObject({ code: 'parameter_unknown' })
  stand.faults.tooMany = 1
  await expect(make('d')).rejects.toMatchObject({ statusCode: 429 })
  stand.faults.tooMany = 0
  stand.denied.add('key')
  await expect(make('d')).rejects.toMatchObject({ statusCode: 401 })
  stand.denied.clear()
  stand.fail(1, 'POST sessions', 'slow')
  const [one, two] = await Promise.allSettled([make('d'), make('d')])
  expect([one.status, two.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  expect([one, two].find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { statusCode: 409 },
  })
})

test('what Stripe does not accept is refused', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand)
  const shipTo = (allowed_countries: string[]) => ({ shipping_address_collection: { allowed_countries } })
  const [line] = order.line_items
  const sold = (change: object) => ({
    line_items: [{ ...line, price_data: { ...line!.price_data, ...change } }],
  })
  const bad: [object, string][] = [
    [{ mode: 'gift' }, 'mode'],
    [{ automatic_tax: { enabled: 'perhaps' } }, 'automatic_tax[enabled]'],
    [{ payment_intent_data: { metadata: {}, tip: 1 } }, 'payment_intent_data[tip]'],
    [shipTo(['US', 'CU']), 'shipping_address_collection[allowed_countries][1]'],
    [{ customer_email: 'nobody' }, 'customer_email'],
    [{ success_url: '/dashboard' }, 'success_url'],
    [{ metadata: { note: 'x'.repeat(501) } }, 'metadata[note]'],
    [sold({ unit_amount: 14.99 }), 'line_items[0][price_data][unit_amount]'],
    [
      sold({ product_data: { name: 'A book', tax_code: 'books' } }),
      'line_items[0][price_data][product_data][tax_code]',
    ],
    [sold({ product_data: {} }), 'line_items[0][price_data][product_data][name]'],
  ]
  for (const [change, param] of bad) {
    const params = { ...order, ...change } as Stripe.Checkout.SessionCreateParams
    await expect(stripe.checkout.sessions.create(params)).rejects.toMatchObject({ statusCode: 400, param })
  }
  const dear = { ...order, ...sold({ unit_amount: 100_000_000 }) }
  await expect(stripe.checkout.sessions.create(dear)).rejects.toMatchObject({ code: 'amount_too_large' })
  await expect(stripe.refunds.create({ payment_intent: 'pi_1', amount: 0 })).rejects.toMatchObject({
    param: 'amount',
  })
  await expect(stripe.refunds.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
  const types = Array.from({ length: 21 }, () => 'charge.refunded')
  await expect(stripe.events.list({ types })).rejects.toMatchObject({ param: 'types' })
  expect(stand.sessions.size).toBe(0)
})

test('shipping is paid beside the items, of one rate, in their currency', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand)
  const rate = (amount: number, currency = 'usd') => ({
    shipping_rate_data: {
      type: 'fixed_amount' as const,
      fixed_amount: { amount, currency },
      display_name: 'Shipping to Canada',
    },
  })
  const make = (...shipping_options: ReturnType<typeof rate>[]) =>
    stripe.checkout.sessions.create({ ...order, shipping_options })
  await expect(make(rate(500, 'eur'))).rejects.toMatchObject({
    param: 'shipping_options[0][shipping_rate_data][fixed_amount][currency]',
  })
  await expect(make(...[1, 2, 3, 4, 5, 6].map((amount) => rate(amount)))).rejects.toMatchObject({
    param: 'shipping_options',
  })
  await expect(make(rate(-1))).rejects.toMatchObject({ statusCode: 400 })
  const { id } = await make(rate(500))
  stand.pay(id, { discount: 200, tax: 100 })
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    amount_subtotal: 1499,
    amount_total: 1899,
    total_details: { amount_discount: 200, amount_shipping: 500, amount_tax: 100 },
    shipping_cost: { amount_subtotal: 500 },
  })
})

test('no more is refunded than was paid, and only what is asked for is expanded', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand)
  const { id } = await stripe.checkout.sessions.create(order)
  stand.pay(id, { discount: 499 })
  const { payment_intent } = await stripe.checkout.sessions.retrieve(id)
  const refund = (amount: number) =>
    stripe.refunds.create({ payment_intent: payment_intent as string, amount })
  await refund(400)
  await expect(refund(601)).rejects.toThrow('greater than unrefunded amount')
  await refund(600)
  const expand = ['payment_intent.latest_charge']
  const session = await stripe.checkout.sessions.retrieve(id, { expand })
  expect(session).toMatchObject({
    amount_total: 1000,
    metadata: { purchase_id: 'p1' },
    payment_intent: { amount: 1000, latest_charge: { amount_refunded: 1000, refunded: true } },
  })
  const { data, has_more } = await stripe.refunds.list({ payment_intent: payment_intent as string, limit: 1 })
  expect([data.map(({ amount }) => amount), has_more]).toEqual([[600], true])
})

test('keys are of an account and a mode, and may be restricted', async () => {
  await using stand = await startStripe()
  const withKey = (key: string) => libraryFor(stand, 30_000, key)
  stand.addKey('sk_live_x')
  stand.addKey('rk_test_x', { denied: ['POST refunds'] })
  stand.addKey('sk_test_other', { id: 'acct_other', name: 'Another' })
  const { id } = await withKey('sk_test_x').checkout.sessions.create(order)
  expect(await withKey('rk_test_x').checkout.sessions.retrieve(id)).toMatchObject({ id, livemode: false })
  for (const key of ['sk_live_x', 'sk_test_other'])
    await expect(withKey(key).checkout.sessions.retrieve(id)).rejects.toMatchObject({ statusCode: 404 })
  await expect(withKey('rk_test_x').refunds.create({})).rejects.toMatchObject({ statusCode: 403 })
  await expect(withKey('sk_test_y').checkout.sessions.list()).rejects.toMatchObject({ statusCode: 401 })
  expect(await withKey('sk_test_other').accounts.retrieveCurrent()).toMatchObject({ id: 'acct_other' })
  const live = await withKey('sk_live_x').checkout.sessions.create(order)
  expect(live).toMatchObject({ livemode: true })
})

test('webhook endpoints return their secret once, and are refused where Stripe cannot reach them', async () => {
  await using stand = await startStripe()
  const { webhookEndpoints } = libraryFor(stand)
  const enabled_events = ['charge.refunded'] as const
  const make = (url: string) => webhookEndpoints.create({ url, enabled_events: [...enabled_events] })
  const { id, secret } = await make('https://books.example/hook')
  expect(secret).toMatch(/^whsec_/)
  expect(await webhookEndpoints.retrieve(id)).not.toHaveProperty('secret')
  await expect(make('http://localhost:3000/hook')).rejects.toMatchObject({ code: 'url_invalid' })
  await expect(webhookEndpoints.create({} as never)).rejects.toMatchObject({ code: 'parameter_missing' })
  for (let nth = 1; nth < 16; nth += 1) await make(`https://books.example/${nth}`)
  await expect(make('https://books.example/17')).rejects.toThrow('maximum of 16 test webhook endpoints')
  await webhookEndpoints.del(id)
  await expect(webhookEndpoints.retrieve(id)).rejects.toMatchObject({ statusCode: 404 })
  expect((await webhookEndpoints.list({ limit: 100 })).data).toHaveLength(15)
})

test('a buyer who pays at its page is redirected back, and webhooks are signed, repeated, or lost as wanted', async () => {
  const heard: string[] = []
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const signature = request.headers['stripe-signature'] as string
    heard.push(new Stripe('sk_test_x').webhooks.constructEvent(body, signature, webhookSecret).id)
    response.end()
  }
  const shop = createServer((request, response) => void hear(request, response)).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  await using stand = await startStripe({ faults: { repeated: 1, latest: 10 } })
  stand.setWebhookUrl(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)
  const pay = async () => {
    const { id, url } = await libraryFor(stand).checkout.sessions.create(order)
    const body = new URLSearchParams({ action: 'pay', tells: 'before' })
    const response = await fetch(url!, { method: 'POST', body, redirect: 'manual' })
    expect(response.headers.get('location')).toBe(`http://shop.example/paid?session=${id}`)
  }
  await pay()
  expect([heard.length, new Set(heard).size]).toEqual([2, 1])
  stand.faults.lost = 1
  await pay()
  expect(heard).toHaveLength(2)
  shop.close()
})
