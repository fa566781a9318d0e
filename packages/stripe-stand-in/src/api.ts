// Stripe's HTTP API, as far as the shop uses it: each response and its status, under Stripe's own paths.
import type { Stripe } from 'stripe'
import type { Account } from './account.ts'
import type { Event } from './examples.ts'
import { idOf } from './id-of.ts'
import { metadataOf, type Session } from './new-session.ts'
import { checkParameters } from './parameters.ts'
import { Refusal } from './refusal.ts'
import { withoutSecret } from './webhook-endpoints.ts'

export type ApiRequest = { method: string; url: URL; form: URLSearchParams }
export type ApiResponse = { status: number; body: object; headers?: Record<string, string> }

type SendEvent = (type: string, object: object) => void

/** Names the call, with `id` in place of any id. */
export function callOf({ method, url }: Pick<ApiRequest, 'method' | 'url'>): string {
  const [kind, id, action] = partsOf(url)
  return `${method} ${[kind, id && (kind === 'tax' ? id : 'id'), action].filter(Boolean).join('/')}`
}

function partsOf({ pathname }: URL): string[] {
  return pathname.replace(/^\/v1\/(checkout\/)?/, '').split('/')
}

/** Undefined where there is nothing to complain about before the endpoint executes. */
export function validate(request: ApiRequest): ApiResponse | undefined {
  try {
    const { method, url, form } = request
    checkParameters(callOf(request), method === 'POST' ? form : url.searchParams)
    return undefined
  } catch (error) {
    return refusalOf(error)
  }
}

export function execute(account: Account, sendEvent: SendEvent, request: ApiRequest): ApiResponse {
  try {
    const body = route(account, sendEvent, request)
    const { isLive } = account.profile
    if (body) return { status: 200, body: 'livemode' in body ? { ...body, livemode: isLive } : body }
    return refusal(404, 'Unrecognized request URL or no such object.', undefined, 'resource_missing')
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): ApiResponse {
  if (!(error instanceof Refusal)) throw error
  const { status = 400, code, param } = error.details
  return refusal(status, error.message, 'invalid_request_error', code, param)
}

export function refusal(
  status: number,
  message: string,
  type = 'invalid_request_error',
  code?: string,
  param?: string,
): ApiResponse {
  return { status, body: { error: { type, message, ...(code && { code }), ...(param && { param }) } } }
}

function route(
  account: Account,
  sendEvent: SendEvent,
  { method, url, form }: ApiRequest,
): object | undefined {
  const [kind, id = '', action] = partsOf(url)
  const isPost = method === 'POST'
  switch (kind) {
    case 'sessions': {
      if (!id) return isPost ? account.createSession(form) : listSessions(account, url)
      if (isPost && action === 'expire') return expire(account, sendEvent, id)
      const session = account.sessions.get(id)
      return session && expanded(account, session, url)
    }
    case 'refunds':
      if (isPost) return refund(account, sendEvent, form)
      return id ? account.refunds.find((each) => each.id === id) : listOfPayment(account.refunds, url)
    case 'disputes':
      return id ? account.disputes.find((each) => each.id === id) : listOfPayment(account.disputes, url)
    case 'events':
      return listOf(account.events.filter(isListed(url)), url)
    case 'account':
      return account.describe()
    case 'webhook_endpoints':
      return webhookEndpoint(account, { method, id, form, url })
    case 'tax':
      return id === 'settings' ? account.taxSettings() : undefined
    case 'payment_intents':
      return id ? account.intents.get(id) : listOf([...account.intents.values()], url)
    case 'invoices':
      return id ? account.invoices.get(id) : listOf([...account.invoices.values()], url)
    default:
      return undefined
  }
}

function webhookEndpoint(
  account: Account,
  { method, id, form, url }: ApiRequest & { id: string },
): object | undefined {
  if (method === 'DELETE') return account.deleteEndpoint(id)
  if (method === 'POST') return id ? account.changeEndpoint(id, form) : account.createEndpoint(form)
  if (!id) return listOf(account.endpoints.map(withoutSecret), url)
  const endpoint = account.endpoints.find((each) => each.id === id)
  return endpoint && withoutSecret(endpoint)
}

/** Lists those of all payments, unless one is named. */
function listOfPayment(rows: readonly (Stripe.Refund | Stripe.Dispute)[], url: URL): object {
  const isOf = (name: 'payment_intent' | 'charge') => {
    const value = url.searchParams.get(name)
    return (row: Stripe.Refund | Stripe.Dispute) => value === null || idOf(row[name]) === value
  }
  return listOf(rows.filter(isOf('payment_intent')).filter(isOf('charge')).filter(isCreated(url)), url)
}

/** Nothing is expanded in a list. */
function listSessions(account: Account, url: URL): object {
  const of = url.searchParams.get('payment_intent')
  const matches = isSession(url)
  const found = [...account.sessions.values()].filter(
    (session) => (of === null || session.payment_intent === of) && matches(session),
  )
  const listed = found.map(({ line_items: _left, ...session }) => session)
  return listOf(listed, url)
}

function expire(account: Account, sendEvent: SendEvent, id: string): Session {
  const session = account.expire(id)
  sendEvent('checkout.session.expired', session)
  return session
}

function refund(account: Account, sendEvent: SendEvent, form: URLSearchParams) {
  const payment_intent = form.get('payment_intent') ?? ''
  const amount = form.get('amount')
  const made = account.refund(payment_intent, amount ? Number(amount) : undefined, metadataOf(form))
  sendEvent('charge.refunded', account.chargeOf(payment_intent))
  return made
}

/** A field that is not requested by `expand` stays an id. */
function expanded(account: Account, session: Session, url: URL): object {
  const paths = [...url.searchParams].flatMap(([name, value]) => (name.startsWith('expand') ? [value] : []))
  const id = idOf(session.payment_intent)
  const has = (name: string) => paths.some((path) => path === name || path.startsWith(`${name}.`))
  const { line_items, ...response } = session
  return {
    ...response,
    ...(has('line_items') && { line_items }),
    ...(id && has('payment_intent') && { payment_intent: intentOf(account, id, paths) }),
    ...(session.invoice && has('invoice') && { invoice: account.invoices.get(idOf(session.invoice)) }),
  }
}

function intentOf(account: Account, id: string, paths: readonly string[]): object {
  const isWhole = paths.includes('payment_intent.latest_charge')
  return { ...account.intents.get(id), ...(isWhole && { latest_charge: account.chargeOf(id) }) }
}

function isSession(url: URL): (session: Session) => boolean {
  const status = url.searchParams.get('status')
  const isInTime = isCreated(url)
  return (session) => (!status || session.status === status) && isInTime(session)
}

function isCreated({ searchParams }: URL): (row: { created: number }) => boolean {
  const limit = (name: string, otherwise: number) => Number(searchParams.get(`created[${name}]`) ?? otherwise)
  const [gt, gte] = [limit('gt', -Infinity), limit('gte', -Infinity)]
  const [lt, lte] = [limit('lt', Infinity), limit('lte', Infinity)]
  return ({ created }) => created > gt && created >= gte && created < lt && created <= lte
}

function isListed(url: URL): (event: Event) => boolean {
  const { searchParams } = url
  const types = [...searchParams].flatMap(([name, value]) => (name.startsWith('types') ? [value] : []))
  const isInTime = isCreated(url)
  return (event) => (types.length === 0 || types.includes(event.type)) && isInTime(event)
}

/** Newest first, page by page. */
function listOf(rows: readonly { id: string; created: number }[], url: URL): object {
  const limit = Number(url.searchParams.get('limit') ?? 10)
  // The later one of the same second comes first.
  const newestFirst = rows.toReversed().toSorted((one, other) => other.created - one.created)
  const placeOf = (name: string) => {
    const id = url.searchParams.get(name)
    const place = newestFirst.findIndex((row) => row.id === id)
    if (id && place === -1)
      throw new Refusal(`No such object: '${id}'`, { code: 'resource_missing', param: name })
    return id ? place : undefined
  }
  const [after, before] = [placeOf('starting_after'), placeOf('ending_before')]
  const end = before ?? newestFirst.length
  const start = before === undefined ? (after ?? -1) + 1 : Math.max(0, before - limit)
  const data = newestFirst.slice(start, Math.min(start + limit, end))
  const hasMore = before === undefined ? start + limit < end : start > 0
  return { object: 'list', data, has_more: hasMore, url: url.pathname }
}
