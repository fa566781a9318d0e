// POST /api/stripe/webhook. The signature is checked on the raw bytes, before anything else.
import { Refusal } from '#platform/refusal.ts'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Payments } from '#platform/stripe/payments.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { receiveEvents } from './events.ts'

const maxBody = 1024 * 1024
const warningPauseMs = 60_000

const notSigned =
  'a webhook is not signed with the secret of the endpoint (STRIPE_WEBHOOK_SECRET where the environment sets it), or the clock of this machine is wrong'
const thin = 'Stripe sends thin events, which are not read: its endpoint needs the payload style "snapshot"'

export function stripeApi(services: Services) {
  const limit = bodyLimit({
    maxSize: maxBody,
    onError: () => {
      throw new Problem('request.too_large')
    },
  })
  let warnedAt = -Infinity

  async function readEvent(payments: Payments, body: string, signature: string) {
    try {
      return await payments.readEvent(body, signature)
    } catch (error) {
      // Logged at intervals, since any client may post here. The usual cause is the secret of another endpoint.
      if (signature && performance.now() - warnedAt > warningPauseMs) {
        warnedAt = performance.now()
        const isThin = error instanceof Refusal && error.code === 'payments.thin_event'
        services.log.warn(isThin ? thin : notSigned)
      }
      throw error
    }
  }

  return new Hono().post('/stripe/webhook', limit, async (c) => {
    const payments = services.payments.current()
    if (!payments) throw new Problem('payments.not_set')
    const signature = c.req.header('stripe-signature') ?? ''
    await receiveEvents(services, [await readEvent(payments, await c.req.text(), signature)])
    return c.json({ received: true }, 200)
  })
}
