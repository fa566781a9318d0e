// Stripe's HTTP API, as far as the shop asks: each answer and its status, under Stripe's own paths.
import type { Stripe } from 'stripe'
import { Refusal, type Account } from './account.ts'
import { metadataOf, type Session } from './new-session.ts'

export type Question = { method: string; url: URL; form: URLSearchParams }
export type Answer = { status: number; body: object }

type Tell = (type: string, object: object) => void

export function answerQuestion(account: Account, tell: Tell, question: Question): Answer {
  try {
    const body = route(account, tell, question)
    return body ? { status: 200, body } : refusal(404, 'Unrecognized request URL or no such object.')
  } catch (error) {
    if (error instanceof Refusal) return refusal(400, error.message)
    throw error
  }
}

export function refusal(status: number, message: string, type = 'invalid_request_error'): Answer {
  return { status, body: { error: { type, message } } }
}

function route(account: Account, tell: Tell, { method, url, form }: Question): object | undefined {
  const [kind, id, deed] = url.pathname.replace(/^\/v1\/(checkout\/)?/, '').split('/')
  const isPost = method === 'POST'
  const of = url.searchParams.get('payment_intent')
  const isOf = ({ payment_intent }: { payment_intent: unknown }) => of === null || payment_intent === of
  switch (kind) {
    case 'sessions': {
      if (isPost && !id) return account.createSession(form)
      if (isPost && deed === 'expire') return expire(account, tell, id!)
      if (!id) return listOf([...account.sessions.values()].filter(isOf), url)
      const session = account.sessions.get(id)
      return session && expanded(account, session, url)
    }
    case 'refunds':
      if (isPost) return refund(account, tell, form)
      return id ? account.refunds.find((each) => each.id === id) : listOf(account.refunds.filter(isOf), url)
    case 'disputes':
      return id ? account.disputes.find((each) => each.id === id) : listOf(account.disputes.filter(isOf), url)
    case 'events':
      return listOf(account.events.filter(isWanted(url)), url)
    case 'payment_intents':
      return account.intents.get(id!)
    case 'invoices':
      return account.invoices.get(id!)
    default:
      return undefined
  }
}

function expire(account: Account, tell: Tell, id: string): Session {
  const session = account.expire(id)
  tell('checkout.session.expired', session)
  return session
}

function refund(account: Account, tell: Tell, form: URLSearchParams) {
  const payment_intent = form.get('payment_intent')!
  const amount = form.get('amount')
  const made = account.refund(payment_intent, amount ? Number(amount) : undefined, metadataOf(form))
  tell('charge.refunded', account.chargeOf(payment_intent))
  return made
}

/** What is not asked for by `expand` stays an id. */
function expanded(account: Account, session: Session, url: URL): object {
  const wanted = [...url.searchParams].flatMap(([name, value]) => (name.startsWith('expand') ? [value] : []))
  const id = session.payment_intent as string | null
  const has = (name: string) => wanted.some((path) => path === name || path.startsWith(`${name}.`))
  const { line_items, ...answer } = session
  return {
    ...answer,
    ...(has('line_items') && { line_items }),
    ...(id && has('payment_intent') && { payment_intent: intentOf(account, id, wanted) }),
    ...(session.invoice && has('invoice') && { invoice: account.invoices.get(session.invoice as string) }),
  }
}

function intentOf(account: Account, id: string, wanted: readonly string[]): object {
  const isWhole = wanted.includes('payment_intent.latest_charge')
  return { ...account.intents.get(id), ...(isWhole && { latest_charge: account.chargeOf(id) }) }
}

function isWanted({ searchParams }: URL): (event: Stripe.Event) => boolean {
  const types = [...searchParams].flatMap(([name, value]) => (name.startsWith('types') ? [value] : []))
  const from = Number(searchParams.get('created[gte]') ?? 0)
  const to = Number(searchParams.get('created[lte]') ?? Infinity)
  return ({ type, created }) =>
    (types.length === 0 || types.includes(type)) && created >= from && created <= to
}

/** Newest first, page by page. */
function listOf(rows: readonly { id: string }[], url: URL): object {
  const limit = Number(url.searchParams.get('limit') ?? 10)
  const after = url.searchParams.get('starting_after')
  const newestFirst = rows.toReversed()
  const from = after ? newestFirst.findIndex(({ id }) => id === after) + 1 : 0
  const data = newestFirst.slice(from, from + limit)
  return { object: 'list', data, has_more: from + limit < rows.length, url: url.pathname }
}
