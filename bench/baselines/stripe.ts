// The stand-in for Stripe, in a process of its own. On the port it is given it says where it is and how it was asked;
// /fill/FROM/TO/PRODUCT adds a checkout for each of these pending purchases, every fiftieth of them paid.
import { createServer } from 'node:http'
import { startStripe } from '@lectern/stripe-stand-in'
import { purchaseId } from '../figures/pending.ts'

const stripe = await startStripe()
const paidEvery = 50

function fill(from: number, to: number, product_id: string): void {
  // They share what is in no way their own: a hundred thousand whole ones would need a gigabyte.
  const kinds = { open: make(product_id), paid: make(product_id) }
  stripe.pay(kinds.paid.id)
  for (const { id } of Object.values(kinds)) stripe.sessions.delete(id)
  stripe.events.length = 0
  for (let number = from; number <= to; number += 1) {
    const purchase_id = purchaseId(number)
    const kind = kinds[number % paidEvery === 0 ? 'paid' : 'open']
    // What is paid has no payment behind it that could be looked at: as of a promotion that takes it all.
    stripe.sessions.set(`cs_${purchase_id}`, {
      ...kind,
      id: `cs_${purchase_id}`,
      payment_intent: null,
      metadata: { purchase_id, product_id },
    })
  }
}

function make(product_id: string) {
  const form = new URLSearchParams({
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '1499',
    'metadata[product_id]': product_id,
  })
  return stripe.create(form)
}

createServer((request, response) => {
  const [, deed, from, to, product_id] = (request.url ?? '').split('/')
  if (deed === 'fill') fill(Number(from), Number(to), product_id!)
  const { env, calls } = stripe
  response.end(JSON.stringify({ env, asked: calls.asked, busiest: stripe.busiest() }))
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
