// Tells a shop of refunds for some seconds, each an event of its own with its signature, and prints how many were taken.
import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { example } from '../../packages/stripe-stand-in/src/examples.ts'
import { signEvent } from '../../packages/stripe-stand-in/src/webhooks.ts'

type Input = { url: string; connections: number; seconds: number }

const { url, connections, seconds } = JSON.parse(process.argv[2]!) as Input

/** As long as Stripe's own: some kilobytes. */
function tell() {
  const charge = example('charge', { payment_intent: `pi_${randomUUID()}` })
  return signEvent(example('event', { type: 'charge.refunded', data: { object: charge } }))
}

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  method: 'POST',
  requests: [{ setupRequest: (request) => ({ ...request, ...tell() }) }],
})
if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} webhooks failed`)
console.log(JSON.stringify({ perSecond: result.requests.total / result.duration }))
