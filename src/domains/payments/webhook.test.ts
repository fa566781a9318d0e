// Whose news of payments is taken.
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { readConfig } from '../../config.ts'
import { openStripe } from '#platform/stripe/open-stripe.ts'
import { openPaidShop, sendEvent } from '#test/paying.ts'
import { startStripe, webhookSecret } from '@lectern/stripe-stand-in'

const { webhooks } = new Stripe('sk_test_x')

test('a webhook that is signed with another secret is refused, and the log says so, once a minute', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { STRIPE_WEBHOOK_SECRET: 'whsec_another' } })
  const warnings: unknown[] = []
  shop.services.log.warn = (words: unknown) => void warnings.push(words)
  const event = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  for (let count = 0; count < 3; count += 1) expect((await sendEvent(shop, event)).status).toBe(400)
  expect(warnings).toEqual([expect.stringContaining('STRIPE_WEBHOOK_SECRET')])
})

test('the response to a thin event says what to change; unsigned, it is refused like any other', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const thin = { id: 'evt_1', object: 'v2.core.event', type: 'v1.charge.refunded', livemode: false }
  const body = JSON.stringify(thin)
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret })
  const post = (header: string) =>
    sendEvent(shop, { body, headers: { 'stripe-signature': header, 'content-type': 'application/json' } })
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

test('without a signature not a byte is read, and no event is larger than 256 kB', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { hostname, port } = new URL(shop.url)
  const begin = (headers: string) => {
    const socket = connect(Number(port), hostname)
    socket.write(`POST /api/stripe/webhook HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers}\r\n\r\n`)
    return text(socket)
  }
  expect(await begin('content-length: 100')).toContain('payments.bad_signature')
  expect(await begin('transfer-encoding: chunked')).toContain('payments.bad_signature')
  expect(await begin('stripe-signature: \r\ncontent-length: 100')).toContain('payments.bad_signature')
  expect(await begin('stripe-signature: t=1,v1=x\r\ncontent-length: 262145')).toContain('request.too_large')
  const body = JSON.stringify({ id: 'evt_1', object: 'event', padding: 'x'.repeat(262_000) })
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret })
  expect(body.length).toBeLessThan(262_144)
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
  expect((await sendEvent(shop, { body, headers })).status).not.toBe(413)
})

test('strangers who send large bodies slowly do not keep the events of Stripe out', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { hostname, port } = new URL(shop.url)
  const send = (bytes: number) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    const head = `host: ${hostname}:${port}\r\nstripe-signature: t=1,v1=x\r\ncontent-length: 262144`
    socket.write(`POST /api/stripe/webhook HTTP/1.1\r\n${head}\r\n\r\n${'x'.repeat(bytes)}`)
    return socket
  }
  // As much as is read at the same moment.
  const strangers = Array.from({ length: 32 }, () => send(262_143))
  await sleep(1000)
  strangers.push(send(30))
  await sleep(200)
  const event = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  expect((await sendEvent(shop, event)).status).toBe(200)
  strangers.push(...Array.from({ length: 8 }, () => send(262_143)))
  expect(await Promise.race(strangers.slice(-8).map((socket) => text(socket)))).toContain('HTTP/1.1 503 ')
  for (const socket of strangers) socket.destroy()
})

test('what is signed with an empty secret is refused where the shop has none', async () => {
  await using stripe = await startStripe()
  const { body } = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  const keys = { ...readConfig({}).stripe, secretKey: 'sk_test_x', isLive: false }
  const watch = { worked: () => Promise.resolve(), denied: () => Promise.resolve() }
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: '' })
  for (const webhookSecret of ['', undefined]) {
    const payments = openStripe({ ...keys, webhookSecret, apiBase: stripe.url }, watch)
    const code = 'payments.bad_signature'
    await expect(payments.readEvent(body, signature)).rejects.toMatchObject({ code })
  }
})
