// A stand-in for Stripe, used through Stripe's own library over HTTP: checkouts with a page to pay at, refunds, disputes,
// signed webhooks, and every way in which these go wrong.
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stripe } from 'stripe'
import { openAccount, type Account, type Payment } from './stripe/account.ts'
import { answerQuestion, refusal, type Answer } from './stripe/api.ts'
import { noFaults, pickCallFault, type CallFault, type Faults } from './stripe/faults.ts'
import type { Session } from './stripe/new-session.ts'
import { servePages } from './stripe/pages.ts'
import type { Moment } from './stripe/pay-page.ts'
import { hireCourier, signEvent, webhookSecret, type Courier, type Signed } from './stripe/webhooks.ts'

export type StripeStandIn = AsyncDisposable & {
  /** For STRIPE_API_BASE; its front page shows every checkout. */
  url: string
  env: Record<string, string>
  sessions: Map<string, Session>
  intents: Map<string, Stripe.PaymentIntent>
  refunds: Stripe.Refund[]
  disputes: Stripe.Dispute[]
  /** All that has happened, told or not. */
  events: Stripe.Event[]
  /** To be changed at any time. */
  faults: Faults
  webhooks: Pick<Courier, 'figures' | 'isBusy'>
  /** Where the webhooks go; undefined, nothing is told but what a test posts itself. */
  tellTo(url: string | undefined): void
  /** When the page to pay at tells of it, unless its visitor chooses otherwise. */
  tellWhen(moment: Moment): void
  /** How many questions were open at once, at most. */
  busiest(): number
  /** How many were asked, and how many of them went wrong, by the fault. */
  calls: Record<'asked' | CallFault, number>
  /** The next `count` answers are 500s. */
  fail(count: number): void
  /** As the library asks for it. */
  create(form: URLSearchParams): Session
  /** The buyer pays. */
  pay(session_id: string, payment?: Payment): void
  /** The money of a payment that was slow. */
  arrive(session_id: string): void
  /** As Stripe does after a day: what is asked again under a known key is done again. */
  forgetKeys(): void
  expire(session_id: string): void
  /** Given back at Stripe itself; without an amount in cents, all that is left. */
  refund(payment_intent: string, amount?: number): Stripe.Refund
  /** By a bank, over `part` of the cents or all; told again, the dispute's status changes. */
  dispute(session_id: string, status?: Stripe.Dispute.Status, part?: number): Stripe.Dispute
  /** Posts an event of an object by itself, with the faults of `faults`. */
  tell(type: string, object: object): Promise<void>
  /** What Stripe would post about an object: the body and its signature. */
  event(type: string, object: object): Signed
}

type Options = {
  port?: number
  faults?: Partial<Faults>
  random?: () => number
  /** A file that outlives this process; without one, all is forgotten at the end. */
  keptIn?: string
}

type Known = { asked: string; answer: Answer }
type Kept = { account: ReturnType<Account['keep']>; answers: [string, Known][] }

export async function startStripe(options: Options = {}): Promise<StripeStandIn> {
  const { port = 0, random = Math.random, keptIn } = options
  const server = createServer((request, response) => void answer(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const kept = keptIn && existsSync(keptIn) ? (JSON.parse(readFileSync(keptIn, 'utf8')) as Kept) : undefined
  const account = openAccount(url, kept?.account)
  const answers = new Map<string, Known>(kept?.answers)
  const faults = { ...noFaults, ...options.faults }
  const courier = hireCourier(faults, random)
  let shop: string | undefined
  let moment: Moment = 'before'
  let failing = 0
  const calls = { asked: 0, errors: 0, tooMany: 0, cut: 0, silent: 0 }
  let open = 0
  let busiest = 0

  const tell = async (type: string, object: object) => {
    const event = account.eventOf(type, object)
    if (shop) await courier.tell(shop, event)
  }
  const pages = servePages(account, tell, () => moment)

  function decide({ method, headers }: IncomingMessage, url: URL, asked: string): Answer {
    if (headers.authorization !== `Bearer ${env.STRIPE_SECRET_KEY}`)
      return refusal(401, 'Invalid API Key provided')
    const key = method === 'POST' ? (headers['idempotency-key'] as string | undefined) : undefined
    const known = key ? answers.get(key) : undefined
    if (known && known.asked !== url.pathname + asked) {
      const words = 'Keys for idempotent requests can only be used with the same parameters'
      return refusal(400, words, 'idempotency_error')
    }
    if (known) return known.answer
    const question = { method: method ?? 'GET', url, form: new URLSearchParams(asked) }
    const made = structuredClone(answerQuestion(account, (...told) => void tell(...told), question))
    if (key) answers.set(key, { asked: url.pathname + asked, answer: made })
    return made
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await text(request)
    const address = new URL(request.url ?? '/', url)
    if (!address.pathname.startsWith('/v1/')) {
      await pages(request.method ?? 'GET', address, new URLSearchParams(asked), response)
      return keep()
    }
    open += 1
    busiest = Math.max(busiest, open)
    response.on('close', () => (open -= 1))
    await sleep(5)
    const isFailing = failing > 0
    if (isFailing) failing -= 1
    const fault = isFailing ? 'errors' : pickCallFault(faults, random)
    calls.asked += 1
    if (fault) calls[fault] += 1
    if (fault === 'errors') return reply(response, refusal(500, 'Something went wrong.', 'api_error'))
    if (fault === 'tooMany') return reply(response, refusal(429, 'Too many requests.', 'rate_limit_error'))
    const decided = decide(request, address, asked)
    keep()
    if (fault === 'cut') response.destroy()
    else if (fault !== 'silent') reply(response, decided)
  }

  function reply(response: ServerResponse, { status, body }: Answer): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function keep(): void {
    if (!keptIn) return
    const all: Kept = { account: account.keep(), answers: [...answers] }
    writeFileSync(keptIn, JSON.stringify(all))
  }

  const env = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: url }
  const { sessions, intents, refunds, disputes, events } = account
  return {
    url,
    env,
    sessions,
    intents,
    refunds,
    disputes,
    events,
    faults,
    webhooks: courier,
    tellTo: (target) => void (shop = target),
    tellWhen: (when) => void (moment = when),
    busiest: () => busiest,
    calls,
    fail: (count) => void (failing = count),
    create: account.createSession,
    pay: (session_id, payment) => void account.pay(session_id, payment),
    arrive: account.arrive,
    forgetKeys: () => answers.clear(),
    expire: (session_id) => void account.expire(session_id),
    refund: (payment_intent, amount) => account.refund(payment_intent, amount),
    dispute: (session_id, status = 'needs_response', part) => account.dispute(session_id, status, part),
    tell,
    event: (type, object) => signEvent(account.eventOf(type, object)),
    [Symbol.asyncDispose]: async () => {
      courier.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
