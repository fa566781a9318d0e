// Money through Stripe Checkout. The rest of the shop knows dollars and checkouts; Stripe's objects stay here and in stripe-objects.ts.
import type { PostalAddress } from '#contract/postal.ts'
import type { Config } from '../config.ts'
import { Problem } from '../problem.ts'
import {
  fromSeconds,
  readBack,
  sessionOf,
  toCheckout,
  toEvent,
  toMinor,
  toSeconds,
} from './stripe-objects.ts'

export type CheckoutOrder = {
  purchase_id: string
  number: number
  product: { id: string; name: string; price: number; ships: boolean }
  email: string
  success_url: string
  cancel_url: string
}

type OpenCheckout = { session_id: string; url: string; expires_at: Date }

/** Money that went back: by a refund, or by a buyer's bank (a dispute). */
export type MoneyBack = {
  external_id: string
  kind: 'refund' | 'dispute'
  amount: number
  created_at: Date
  /** The `key` it was refunded under; null for what was done at the provider itself, or by a bank. */
  key: string | null
  /** A refund that failed, a dispute that was won: the money is here again. */
  isReversed: boolean
}

/** A checkout as Stripe has it at this moment; money in its currency. */
export type Checkout = {
  session_id: string
  status: 'open' | 'paid' | 'waiting' | 'ended'
  url: string | null
  /** Where its buyer was to come back to. */
  success_url: string | null
  /** Null where it names none: what is no id is none. */
  purchase_id: string | null
  product_id: string | null
  currency: string
  /** Before discount and tax: what the shop asked for. */
  subtotal: number
  total: number
  tax: number
  discount: number
  payment_intent: string | null
  invoice_url: string | null
  address: PostalAddress | undefined
  moneyBack: MoneyBack[]
  /** Until when the author may answer a buyer's bank that asks; null when none does. */
  answer_by: Date | null
  /** Of the newest dispute or inquiry: when it was opened, and Stripe's word for its state; null without one. */
  disputed_at: Date | null
  dispute_status: string | null
}

export type PaymentEvent = {
  id: string
  type: string
  session_id: string | null
  payment_intent: string | null
  created_at: Date
}

/** Newest first. */
export type EventPage = { events: PaymentEvent[]; hasMore: boolean }

/** `amount` in the currency that was paid. */
type Refund = { payment_intent: string; amount: number; currency: string; key: string }

export type Payments = {
  isLive: boolean
  /** What Stripe is asked for, to be kept: under one key it answers only the very same question. */
  describe(order: CheckoutOrder): object
  /** Asked again for the same purchase and with the same words, it answers with the same checkout. `refused`: why there is none. */
  openCheckout(purchase_id: string, asked: object): Promise<OpenCheckout | { refused: string }>
  /**
   * `knowsMoneyBack`: some was recorded before, so it is looked at again though Stripe's charge mentions none. `isBrief`:
   * asked once and not waited for long, by whoever comes again. Undefined for one that this account does not have.
   */
  readCheckout(
    session_id: string,
    options: { knowsMoneyBack: boolean; isBrief?: boolean | undefined },
  ): Promise<Checkout | undefined>
  /** Nobody can pay it any more; nothing happens to one that is paid or over. */
  endCheckout(session_id: string): Promise<void>
  /** Undefined when that payment came by another way than this shop's checkout. */
  findCheckout(payment_intent: string): Promise<string | undefined>
  /** Asked again under the same `key`, however much later, it refunds once. `refused`: why it will not, however often it is asked. */
  refund(refund: Refund): Promise<{ refused?: string }>
  /** Of the kinds that the webhook is for, up to a hundred, both moments included; Stripe keeps them for 30 days. */
  listEvents(wanted: { from: Date | null; to: Date | null; after: string | undefined }): Promise<EventPage>
  /** `body` as it came in. Throws payments.bad_signature. */
  readEvent(body: string, signature: string): PaymentEvent
}

/** What may change a purchase, as in docs/operations.md. */
const eventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
]

const brief = { timeout: 5_000, maxNetworkRetries: 0 }

/** Undefined where no money is taken. Loaded only when asked for: the library is large. */
export async function openPayments({
  payments,
  shippingCountries,
}: Pick<Config, 'payments' | 'shippingCountries'>): Promise<Payments | undefined> {
  if (!payments) return undefined
  const { Stripe } = await import('stripe')
  const stripe = new Stripe(payments.secretKey, {
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...(payments.apiBase && baseOf(payments.apiBase)),
  })
  const { errors } = Stripe
  const isAway = (error: unknown) =>
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeAPIError ||
    error instanceof errors.StripeRateLimitError ||
    // Another question under the same key is being answered.
    (error instanceof errors.StripeError && error.statusCode === 409)

  /** Why it will not, however often it is asked. Throws what it may do the next time. */
  function refusalOf(error: unknown): { refused: string } {
    if (error instanceof errors.StripeInvalidRequestError && !isAway(error)) return { refused: error.message }
    throw error
  }

  async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await question()
    } catch (error) {
      throw isAway(error) ? new Problem('payments.unavailable', { retryAfter: 5, cause: error }) : error
    }
  }

  return {
    isLive: payments.isLive,
    describe: (order) => sessionOf(order, payments, shippingCountries),
    openCheckout: (purchase_id, asked) =>
      ask(async () => {
        const idempotencyKey = `checkout-${purchase_id}`
        const made = await stripe.checkout.sessions.create(asked, { idempotencyKey }).catch(refusalOf)
        if ('refused' in made) return made
        const { id, url, expires_at } = made
        if (!url) throw new Error(`the checkout ${id} has no address`)
        return { session_id: id, url, expires_at: fromSeconds(expires_at) }
      }),
    readCheckout: (session_id, { knowsMoneyBack, isBrief }) =>
      ask(async () => {
        const expand = ['payment_intent.latest_charge', 'invoice']
        const patience = isBrief ? brief : {}
        const session = await stripe.checkout.sessions
          .retrieve(session_id, { expand }, patience)
          .catch((error: unknown) => {
            if (error instanceof errors.StripeInvalidRequestError && error.statusCode === 404)
              return undefined
            throw error
          })
        return session && toCheckout(session, await readBack(stripe, session, knowsMoneyBack, patience))
      }),
    endCheckout: (session_id) =>
      ask(async () => {
        await stripe.checkout.sessions.expire(session_id).catch((error: unknown) => {
          if (!(error instanceof errors.StripeInvalidRequestError)) throw error
        })
      }),
    findCheckout: (payment_intent) =>
      ask(async () => (await stripe.checkout.sessions.list({ payment_intent, limit: 1 })).data[0]?.id),
    refund: ({ payment_intent, amount, currency, key }) =>
      ask(async () => {
        // Stripe forgets its own keys after a day, and a job goes on for three.
        const made = await stripe.refunds.list({ payment_intent, limit: 100 }).catch(refusalOf)
        if ('refused' in made) return made
        if (made.data.some(({ metadata }) => metadata?.['request_id'] === key)) return {}
        const wanted = { payment_intent, amount: toMinor(amount, currency), metadata: { request_id: key } }
        const given = await stripe.refunds
          .create(wanted, { idempotencyKey: `refund-${key}` })
          .catch(refusalOf)
        return 'refused' in given ? given : {}
      }),
    listEvents: ({ from, to, after }) =>
      ask(async () => {
        const created = { ...(from && { gte: toSeconds(from) }), ...(to && { lte: toSeconds(to) }) }
        const page = { limit: 100, ...(after && { starting_after: after }) }
        const { data, has_more } = await stripe.events.list({ types: eventTypes, created, ...page }, brief)
        return { events: data.map(toEvent), hasMore: has_more }
      }),
    readEvent(body, signature) {
      try {
        return toEvent(stripe.webhooks.constructEvent(body, signature, payments.webhookSecret))
      } catch {
        throw new Problem('payments.bad_signature')
      }
    },
  }
}

function baseOf(address: string) {
  const { hostname, port, protocol } = new URL(address)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return { host: hostname, protocol: scheme, ...(port && { port }) } as const
}
