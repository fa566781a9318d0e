// Whose news of payments is taken.
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { openPaidShop, tell } from '#test/paying.ts'
import { startStripe, webhookSecret } from '@lectern/stripe-stand-in'

const { webhooks } = new Stripe('sk_test_x')

test('a webhook that is signed with another secret is refused, and the log says so, once a minute', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { STRIPE_WEBHOOK_SECRET: 'whsec_another' } })
  const warnings: unknown[] = []
  shop.services.log.warn = (words: unknown) => void warnings.push(words)
  const event = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  for (let told = 0; told < 3; told += 1) expect((await tell(shop, event)).status).toBe(400)
  expect(warnings).toEqual([expect.stringContaining('STRIPE_WEBHOOK_SECRET')])
})

test('the response to a thin event says what to change; unsigned, it is refused like any other', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const thin = { id: 'evt_1', object: 'v2.core.event', type: 'v1.charge.refunded', livemode: false }
  const body = JSON.stringify(thin)
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret })
  const post = (header: string) =>
    tell(shop, { body, headers: { 'stripe-signature': header, 'content-type': 'application/json' } })
  const warnings: unknown[] = []
  shop.services.log.warn = (...words: unknown[]) => void warnings.push(words.at(-1))
  expect(await (await post(signature)).json()).toMatchObject({
    status: 400,
    code: 'payments.thin_event',
    detail: expect.stringContaining('snapshot'),
  })
  expect(warnings).toEqual([expect.stringContaining('thin events')])
  expect(await (await post('t=1,v1=x')).json()).toMatchObject({ code: 'payments.bad_signature' })
})
