// The webhook endpoint follows the shop to another address, once an admin asks for it.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { buy, sessionOf, sendEvent } from '#test/paying.ts'
import { openTestShop } from '#test/shop.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'
import type { Connection } from '#contract/operations/settings.ts'

const path = '/api/admin/payments/connection'

test('a shop that has moved says so, and Stripe reports to its present address when an admin asks for it', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({
    env: { RATE_LIMIT: 'off', STRIPE_API_BASE: stripe.url, SITE_URL: '' },
    hasWorkers: false,
  })
  const admin = await shop.person({ role: 'admin' })
  const moveTo = async (site_url: string, revision: number) =>
    admin.call('PUT', '/api/admin/settings/shop', { body: { revision, values: { site_url } } })
  const move = async () => {
    const response = await admin.call('POST', `${path}/webhook`)
    return { status: response.status, body: (await response.json()) as object }
  }
  const read = async () => (await (await admin.call('GET', path)).json()) as Connection
  const urls = () => stripe.endpoints.map(({ url }) => url)
  expect(await move()).toMatchObject({ status: 409, body: { code: 'payments.not_connected' } })
  expect((await moveTo('https://old.example', 0)).status).toBe(200)
  const pasted = await admin.call('PUT', path, { body: { secret_key: 'sk_test_x' } })
  expect(await pasted.json()).toMatchObject({ has_webhook: true, former_webhook: null })
  const [before] = stripe.endpoints
  expect((await moveTo('https://new.example', 1)).status).toBe(200)
  expect(await read()).toMatchObject({ has_webhook: true, former_webhook: 'https://old.example' })
  const faults = async () =>
    ((await (await admin.call('GET', '/api/admin/payments')).json()) as AttentionList).faults
  expect(await faults()).toMatchObject([
    { kind: 'webhook', words: expect.stringContaining('https://old.example') },
  ])

  // The later ones are refused, or do it once more.
  const pressed = (await Promise.all([move(), move(), move()])).map(({ status }) => status)
  expect(pressed).toContain(200)
  expect([200, 409]).toEqual(expect.arrayContaining(pressed))
  expect(urls()).toEqual(['https://new.example/api/stripe/webhook'])
  expect(await read()).toMatchObject({ has_webhook: true, former_webhook: null })
  expect(await faults()).toEqual([])
  const { id } = await buy(shop, admin)
  stripe.pay(sessionOf(stripe, id).id)
  const session = sessionOf(stripe, id)
  const signed = (secret: string) => stripe.event('checkout.session.completed', session, secret)
  expect((await sendEvent(shop, signed(stripe.endpoints[0]!.secret))).status).toBe(200)
  expect((await sendEvent(shop, signed(before!.secret))).status).toBe(400)

  // Where Stripe makes none, what there is stays.
  expect((await moveTo('http://localhost:3000', 2)).status).toBe(200)
  const refused = await move()
  expect(refused).toMatchObject({ status: 409, body: { code: 'payments.webhook_refused' } })
  expect(JSON.stringify(refused.body)).toContain('publicly accessible')
  expect(urls()).toEqual(['https://new.example/api/stripe/webhook'])
  expect(await read()).toMatchObject({ former_webhook: 'https://new.example' })
})
