// A stand-in for Stripe, as far as the shop talks to it: checkouts, refunds, disputes, signed webhooks, and faults.
// Its objects have the fields that the shop reads, under the names of Stripe's own API.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'

const webhookSecret = 'whsec_stand_in'

type Json = Record<string, unknown>
type Session = Json & {
  id: string
  status: string
  payment_status: string
  amount_subtotal: number
  amount_total: number
}
type Refund = {
  id: string
  object: 'refund'
  payment_intent: string
  amount: number
  status: string
  created: number
}
type Dispute = {
  id: string
  object: 'dispute'
  payment_intent: string
  amount: number
  status: string
  created: number
}

export type StripeStandIn = AsyncDisposable & {
  /** For STRIPE_API_BASE. */
  url: string
  env: Record<string, string>
  sessions: Map<string, Session>
  refunds: Refund[]
  /** How many questions were open at once, at most. */
  busiest(): number
  /** The next `count` answers are 500s. */
  fail(count: number): void
  /** The buyer pays; `discount` and `tax` in cents. */
  pay(session_id: string, options?: { discount?: number; tax?: number }): void
  expire(session_id: string): void
  dispute(session_id: string, status?: string): Dispute
  /** What Stripe would post about a session: the body and its signature. */
  event(type: string, object: Json, id?: string): { body: string; headers: Record<string, string> }
}

const now = () => Math.floor(Date.now() / 1000)

export async function startStripe(): Promise<StripeStandIn> {
  const sessions = new Map<string, Session>()
  const answers = new Map<string, { asked: string; answer: Json }>()
  const refunds: Refund[] = []
  const disputes: Dispute[] = []
  let count = 0
  let failing = 0
  let open = 0
  let busiest = 0
  const id = (prefix: string) => `${prefix}_test_${(count += 1)}`

  const listOf = (data: unknown[]) => ({ object: 'list', data, has_more: false, url: '' })

  function createSession(form: URLSearchParams): Json {
    const cents = Number(form.get('line_items[0][price_data][unit_amount]'))
    const session: Session = {
      id: id('cs'),
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      url: `${url}/pay/${count}`,
      expires_at: now() + 86_400,
      currency: form.get('line_items[0][price_data][currency]'),
      amount_subtotal: cents,
      amount_total: cents,
      total_details: { amount_discount: 0, amount_tax: 0, amount_shipping: 0 },
      client_reference_id: form.get('client_reference_id'),
      metadata: {
        purchase_id: form.get('metadata[purchase_id]'),
        product_id: form.get('metadata[product_id]'),
      },
      payment_intent: null,
      invoice: null,
      livemode: false,
      asksAddress: form.has('shipping_address_collection[allowed_countries][0]'),
    }
    sessions.set(session.id, session)
    return session
  }

  function withCharge(session: Session): Json {
    if (!session['payment_intent']) return session
    const of = <Row extends { payment_intent: string }>(rows: Row[]) =>
      rows.filter(({ payment_intent }) => payment_intent === session['payment_intent'])
    const returned = of(refunds).filter(({ status }) => status !== 'failed')
    const latest_charge = {
      id: 'ch_test',
      object: 'charge',
      amount_refunded: returned.reduce((sum, { amount }) => sum + amount, 0),
      disputed: of(disputes).length > 0,
    }
    return {
      ...session,
      payment_intent: { id: session['payment_intent'], status: 'succeeded', latest_charge },
    }
  }

  function createRefund(form: URLSearchParams): Json | { error: string } {
    const payment_intent = form.get('payment_intent')!
    const session = [...sessions.values()].find((each) => each['payment_intent'] === payment_intent)
    const before = refunds.filter(
      (each) => each.payment_intent === payment_intent && each.status !== 'failed',
    )
    const left = (session?.amount_total ?? 0) - before.reduce((sum, { amount }) => sum + amount, 0)
    const amount = Number(form.get('amount'))
    if (amount > left) return { error: `Refund amount is greater than unrefunded amount on charge` }
    const refund: Refund = {
      id: id('re'),
      object: 'refund',
      payment_intent,
      amount,
      status: 'succeeded',
      created: now(),
    }
    refunds.push(refund)
    return refund
  }

  function route(method: string, path: string, form: URLSearchParams): Json | { error: string } | undefined {
    const [, session_id, deed] = /^\/v1\/checkout\/sessions\/([^/?]+)(?:\/(\w+))?/.exec(path) ?? []
    const query = new URL(path, 'http://x').searchParams
    const intent = query.get('payment_intent')
    if (session_id) {
      const session = sessions.get(session_id)
      if (deed !== 'expire' || !session) return session && withCharge(session)
      if (session.status !== 'open') return { error: 'Only open sessions can be expired.' }
      session.status = 'expired'
      return session
    }
    if (path.startsWith('/v1/checkout/sessions')) {
      if (method === 'POST') return createSession(form)
      return listOf([...sessions.values()].filter((each) => each['payment_intent'] === intent))
    }
    if (path.startsWith('/v1/refunds')) {
      return method === 'POST'
        ? createRefund(form)
        : listOf(refunds.filter((each) => each.payment_intent === intent))
    }
    if (path.startsWith('/v1/disputes'))
      return listOf(disputes.filter((each) => each.payment_intent === intent))
    return undefined
  }

  function reply(response: ServerResponse, status: number, answer: Json): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open += 1
    busiest = Math.max(busiest, open)
    const asked = await text(request)
    await new Promise((resolve) => setTimeout(resolve, 5))
    open -= 1
    if (failing > 0) {
      failing -= 1
      return reply(response, 500, { error: { type: 'api_error', message: 'Something went wrong.' } })
    }
    const { method = 'GET', url: path = '/', headers } = request
    const key = method === 'POST' ? (headers['idempotency-key'] as string | undefined) : undefined
    const known = key ? answers.get(key) : undefined
    const isOther = known && known.asked !== path + asked
    if (isOther)
      return reply(response, 400, { error: { type: 'idempotency_error', message: 'Other parameters.' } })
    const made = known?.answer ?? route(method, path, new URLSearchParams(asked))
    if (!made)
      return reply(response, 404, { error: { type: 'invalid_request_error', message: 'No such object.' } })
    if (typeof made['error'] === 'string') {
      return reply(response, 400, { error: { type: 'invalid_request_error', message: made['error'] } })
    }
    if (key) answers.set(key, { asked: path + asked, answer: made })
    reply(response, 200, made)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { webhooks } = new Stripe('sk_test_x')

  return {
    url,
    env: { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: url },
    sessions,
    refunds,
    busiest: () => busiest,
    fail: (next) => void (failing = next),
    pay(session_id, { discount = 0, tax = 0 } = {}) {
      const session = sessions.get(session_id)!
      Object.assign(session, {
        status: 'complete',
        payment_status: 'paid',
        payment_intent: id('pi'),
        amount_total: session.amount_subtotal - discount + tax,
        total_details: { amount_discount: discount, amount_tax: tax, amount_shipping: 0 },
      })
    },
    expire: (session_id) => void (sessions.get(session_id)!.status = 'expired'),
    dispute(session_id, status = 'needs_response') {
      const session = sessions.get(session_id)!
      const payment_intent = session['payment_intent'] as string
      const known = disputes.find((each) => each.payment_intent === payment_intent)
      if (known) return Object.assign(known, { status })
      const dispute: Dispute = {
        id: id('du'),
        object: 'dispute',
        payment_intent,
        amount: session.amount_total,
        status,
        created: now(),
      }
      disputes.push(dispute)
      return dispute
    },
    event(type, object, event_id = id('evt')) {
      const payload = JSON.stringify({ id: event_id, object: 'event', type, data: { object } })
      const signature = webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
      return { body: payload, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
