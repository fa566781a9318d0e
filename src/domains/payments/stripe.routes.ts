// The route of Stripe’s webhook, POST /api/stripe/webhook. Without a signature nothing is read; then it is checked on the raw
// bytes, before anything else.
import { Problem, platformProblem } from '#platform/problem.ts'
import { paymentProblem } from './problem.ts'
import { Hono } from 'hono'
import { limitBody } from '#platform/http/bodies.ts'
import type { Payments } from '#platform/stripe/payments.ts'
import { receiveEvents } from './events.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

/** Bytes. Stripe's largest events are a tenth of it. */
const maxBody = 256 * 1024
/** Bytes of all that is read before its signature is checked. Stripe sends again what is refused. */
const maxTogether = 8 * 1024 * 1024
const warningPauseMs = 60_000

const notSigned =
  'a webhook is not signed with the secret of the endpoint (STRIPE_WEBHOOK_SECRET where the environment sets it), or the clock of this machine is wrong'
const thin = 'Stripe sends thin events, which are not read: its endpoint needs the payload style "snapshot"'

export function stripeApi(services: CommerceShop) {
  let warnedAt = -Infinity

  async function readEvent(payments: Payments, body: string, signature: string) {
    try {
      return await payments.readEvent(body, signature)
    } catch (error) {
      // Logged at intervals, since any client may post here. The usual cause is the secret of another endpoint.
      if (performance.now() - warnedAt > warningPauseMs) {
        warnedAt = performance.now()
        const isThin = error instanceof Problem && error.code === 'payments.thin_event'
        services.log.warn(isThin ? thin : notSigned)
      }
      throw error
    }
  }

  return new Hono().post('/stripe/webhook', limitBody(maxBody, { maxTogether }), async (c) => {
    const payments = services.payments.current()
    if (!payments) throw paymentProblem('payments.not_set')
    const signature = c.req.header('stripe-signature')
    if (!signature) throw platformProblem('payments.bad_signature')
    await receiveEvents(services, [await readEvent(payments, await c.req.text(), signature)])
    return c.json({ received: true }, 200)
  })
}
