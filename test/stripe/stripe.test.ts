// The stand-in for Stripe, asked by Stripe's own library: what is done stays done once, however it is asked and told.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { startStripe, type StripeStandIn } from '../stripe.ts'
import { webhookSecret } from './webhooks.ts'

function libraryFor({ url }: StripeStandIn) {
  const { hostname: host, port } = new URL(url)
  return new Stripe('sk_test_x', { host, port, protocol: 'http', maxNetworkRetries: 0, timeout: 500 })
}

const order = {
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 1499, product_data: { name: 'A book' } },
    },
  ],
  metadata: { purchase_id: 'p1' },
  success_url: 'http://shop.example/paid?session={CHECKOUT_SESSION_ID}',
} satisfies Stripe.Checkout.SessionCreateParams

test('under one key a thing is made once, also when its answer never came, and no other thing', async () => {
  await using stand = await startStripe()
  const stripe = libraryFor(stand)
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

test('whoever pays at its page is led back, and webhooks are signed, repeated, or lost as wanted', async () => {
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
  stand.tellTo(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)
  const pay = async () => {
    const { id, url } = await libraryFor(stand).checkout.sessions.create(order)
    const body = new URLSearchParams({ deed: 'pay', tells: 'before' })
    const answer = await fetch(url!, { method: 'POST', body, redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(`http://shop.example/paid?session=${id}`)
  }
  await pay()
  expect([heard.length, new Set(heard).size]).toEqual([2, 1])
  stand.faults.lost = 1
  await pay()
  expect(heard).toHaveLength(2)
  shop.close()
})
