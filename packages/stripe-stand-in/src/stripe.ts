// A stand-in for Stripe, used through Stripe's own library over HTTP: checkouts with a page to pay at, refunds, disputes,
// signed webhooks, and every way in which these go wrong.
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount, type Account } from './account.ts'
import { callOf, execute, refusal, validate, type ApiResponse, type ApiRequest } from './api.ts'
import { noFaults, pickCallFault, type CallFault, type Faults } from './faults.ts'
import { keyInUse, openIdempotency, type SavedResponses } from './idempotency.ts'
import { servePages } from './pages.ts'
import type { SavedRecords } from './records.ts'
import type { Moment } from './pay-page.ts'
import type { StripeStandIn } from './stand-in.ts'
import { openWebhooks, signEvent, webhookSecret } from './webhooks.ts'

export { example } from './examples.ts'
export type { Session } from './new-session.ts'
export type { StripeStandIn } from './stand-in.ts'
export { shippingCountries } from './parameters.ts'
export { allowed as allowedByLink, refused as refusedByLink } from './managed-payments.ts'
export { signEvent, webhookSecret } from './webhooks.ts'

type Options = {
  port?: number
  faults?: Partial<Faults>
  random?: () => number
  /** A file that outlives this process; without one, all is forgotten at the end. */
  savedIn?: string
}

type Saved = { account: SavedRecords; responses: SavedResponses }

const hears = (enabled: readonly string[], type: string) => enabled.includes('*') || enabled.includes(type)

/** The library must not ask again for what is saved under a key. */
const doNotRetry = { 'stripe-should-retry': 'false' }

const slowMs = 3_000

export async function startStripe(options: Options = {}): Promise<StripeStandIn> {
  const { port = 0, random = Math.random, savedIn } = options
  const server = createServer((request, response) => void respond(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const saved =
    savedIn && existsSync(savedIn) ? (JSON.parse(readFileSync(savedIn, 'utf8')) as Saved) : undefined
  const account = openAccount(url, saved?.account)
  const accounts = new Map<string, { of: Account; denied: ReadonlySet<string> }>()
  accounts.set('sk_test_x', { of: account, denied: new Set() })
  const idempotency = openIdempotency(saved?.responses)
  const faults = { ...noFaults, ...options.faults }
  const webhooks = openWebhooks(faults, random)
  let shop: string | undefined
  let moment: Moment = 'before'
  let failing: { call?: string | undefined; faults: CallFault[] } = { faults: [] }
  const denied = new Set<string>()
  const calls = {
    asked: 0,
    errors: 0,
    doneErrors: 0,
    tooMany: 0,
    cut: 0,
    silent: 0,
    hung: 0,
    slow: 0,
    away: 0,
  }
  let open = 0
  let busiest = 0

  const sendEvent = async (type: string, object: object) => {
    const event = account.eventOf(type, object)
    const heard = account.endpoints
      .filter(({ enabled_events, status }) => status === 'enabled' && hears(enabled_events, type))
      .map(({ url: to, secret }) => webhooks.sendEvent(to, event, secret))
    if (shop) heard.push(webhooks.sendEvent(shop, event))
    await Promise.all(heard)
  }
  const pages = servePages(account, sendEvent, () => moment)

  /** Keeps Stripe's order: the key, the idempotency layer, the parameters, and only then the endpoint itself. */
  function decide(
    of: Account,
    request: ApiRequest,
    { key, body, fault }: { key: string | undefined; body: string; fault: CallFault | undefined },
  ): ApiResponse {
    const { pathname } = request.url
    const found = key ? idempotency.find(key, pathname + body) : undefined
    const refused = found ?? validate(request)
    if (refused) return refused
    const failure = {
      ...refusal(500, 'Something went wrong.', 'api_error'),
      headers: { 'request-id': 'req_x', ...(key && doNotRetry) },
    }
    const isDone = fault !== 'errors'
    const done = isDone && structuredClone(execute(of, (...told) => void sendEvent(...told), request))
    const made = done && fault !== 'doneErrors' ? done : failure
    if (key) idempotency.save(key, pathname + body, made)
    return made
  }

  /** Stripe shows the beginning and the end; the short ones of tests are no secrets. */
  const masked = (key: string) => (key.length < 16 ? key : `${key.slice(0, 8)}*****${key.slice(-4)}`)

  /** A test may name another key for the first account. */
  const findKey = (key: string) =>
    accounts.get(key) ?? (key === env.STRIPE_SECRET_KEY ? accounts.get('sk_test_x') : undefined)

  function denial(call: string, key: string): ApiResponse | undefined {
    const known = findKey(key)
    if (!known || denied.has('key')) return refusal(401, `Invalid API Key provided: ${masked(key)}`)
    if (!denied.has(call) && !known.denied.has(call)) return undefined
    const words = `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${known.of.profile.id}' (${call}).`
    return refusal(403, words)
  }

  function pickFault(call: string): CallFault | undefined {
    const isFailing = (failing.call ?? call) === call
    return (isFailing ? failing.faults.shift() : undefined) ?? pickCallFault(faults, random)
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const address = new URL(request.url ?? '/', url)
    if (!address.pathname.startsWith('/v1/')) {
      await pages(request.method ?? 'GET', address, new URLSearchParams(body), response)
      return save()
    }
    open += 1
    busiest = Math.max(busiest, open)
    response.on('close', () => (open -= 1))
    const apiRequest = { method: request.method ?? 'GET', url: address, form: new URLSearchParams(body) }
    const call = callOf(apiRequest)
    const fault = pickFault(call)
    calls.asked += 1
    if (fault) calls[fault] += 1
    if (fault === 'hung') response.destroy()
    const decided = await take(apiRequest, request.headers, body, fault)
    save()
    if (fault === 'cut') response.destroy()
    else if (fault !== 'silent' && fault !== 'hung') reply(response, decided)
  }

  async function take(
    request: ApiRequest,
    { authorization, ...headers }: IncomingHttpHeaders,
    body: string,
    fault: CallFault | undefined,
  ): Promise<ApiResponse> {
    if (fault === 'away') return refusal(503, 'Service unavailable.', 'api_error')
    const key = request.method === 'POST' ? headers['idempotency-key']?.toString() : undefined
    const isFree = !key || idempotency.begin(key)
    await sleep(fault === 'hung' || fault === 'slow' ? slowMs : 5)
    if (!isFree) return keyInUse
    if (key) idempotency.end(key)
    if (fault === 'tooMany') return refusal(429, 'Too many requests.', 'rate_limit_error')
    const secretKey = authorization?.replace(/^Bearer /, '') ?? ''
    const of = findKey(secretKey)?.of ?? account
    return denial(callOf(request), secretKey) ?? decide(of, request, { key, body, fault })
  }
  function reply(response: ServerResponse, { status, body, headers }: ApiResponse): void {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  function save(): void {
    if (!savedIn) return
    const all: Saved = { account: account.save(), responses: idempotency.all() }
    writeFileSync(savedIn, JSON.stringify(all))
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
    webhooks: webhooks,
    setWebhookUrl: (target) => void (shop = target),
    setDelivery: (when) => void (moment = when),
    busiest: () => busiest,
    calls,
    fail: (count, call, fault = 'errors') =>
      void (failing = { call, faults: Array<CallFault>(count).fill(fault) }),
    failInTurn: (call, inTurn) => void (failing = { call, faults: [...inTurn] }),
    denied,
    addKey(key, { denied: withheld = [], ...profile } = {}) {
      const isLive = key.includes('_live_')
      const whose = { id: 'acct_stand_in', name: 'The stand-in', chargesEnabled: true, ...profile, isLive }
      const found = [...accounts.values()].find(
        ({ of }) => of.profile.id === whose.id && of.profile.isLive === isLive,
      )
      const of = found?.of ?? openAccount(url, undefined, whose)
      accounts.set(key, { of, denied: new Set(withheld) })
      return of
    },
    endpoints: account.endpoints,
    reach: account.reach,
    tax: account.tax,
    managedPayments: account.managedPayments,
    withheld: account.withheld,
    create: account.createSession,
    pay: (session_id, payment) => void account.pay(session_id, payment),
    arrive: account.arrive,
    clearKeys: idempotency.forget,
    expire: (session_id) => void account.expire(session_id),
    failRefund: (id, reason) => void account.failRefund(id, reason),
    failNextRefund: () => void (account.next.fails = true),
    makeInvoice: (session_id) => account.makeInvoice(session_id),
    refund: (payment_intent, amount) => account.refund(payment_intent, amount),
    dispute: (session_id, status = 'needs_response', part) => account.dispute(session_id, status, part),
    sendEvent,
    event: (type, object, secret) => signEvent(account.eventOf(type, object), secret),
    [Symbol.asyncDispose]: async () => {
      webhooks.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
