// POST /api/stripe/webhook: what Stripe tells. The signature is checked on the bytes as they came, before anything else.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { receiveEvents } from '../shop/payments/events.ts'

const maxBody = 1024 * 1024

export function stripeApi(services: Services) {
  const limit = bodyLimit({
    maxSize: maxBody,
    onError: () => {
      throw new Problem('request.too_large')
    },
  })
  return new Hono().post('/stripe/webhook', limit, async (c) => {
    if (!services.payments) throw new Problem('payments.not_set')
    const event = services.payments.readEvent(await c.req.text(), c.req.header('stripe-signature') ?? '')
    await receiveEvents(services, [event])
    return c.json({ received: true }, 200)
  })
}
