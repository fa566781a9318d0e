// The library takes 35 MB: import this file where a call is made.
import { Stripe } from 'stripe'
import type { PaymentSettings, Payments, PaymentWatch } from './payments.ts'
import { platformProblem } from '../problem.ts'
import { createAsk, isUnknown, refusalOf, type Ask } from './errors.ts'
import { createListAdjustments, readAdjustments } from './refunds.ts'
import { toMinor, toSeconds } from './conversions.ts'
import { askedSeller, soldBy, statedDefaults, toCheckout, toEvent, toListed } from './objects.ts'

export function connectStripe({
  secretKey,
  apiBase,
}: Pick<PaymentSettings, 'secretKey' | 'apiBase'>): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...(apiBase && baseOf(apiBase)),
  })
}

function baseOf(address: string) {
  const { hostname, port, protocol } = new URL(address)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return { host: hostname, protocol: scheme, ...(port && { port }) } as const
}

/** Events that may change a purchase, as in docs/operations.md. Stripe lists at most 20 kinds at once. */
export const eventTypes = [
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
  'invoice.paid',
] as const

/** A checkout beyond these can be paid for a day at most. */
const maxListed = 2_000

const once = { maxNetworkRetries: 0 }
const brief = { timeout: 5_000, ...once }

export function openStripe(
  settings: PaymentSettings,
  watch: PaymentWatch,
): Omit<Payments, 'isLive' | 'describe'> {
  const stripe = connectStripe(settings)
  const asking = createAsk(watch)
  const { ask } = asking
  return {
    ...checkoutsOf(stripe, asking),
    refund: (refund) => createRefund(stripe, asking, refund),
    listAdjustments: createListAdjustments(stripe, ask, brief),
    listEvents: ({ from, to, after }) =>
      ask('events.list', async () => {
        const created = { ...(from && { gte: toSeconds(from) }), ...(to && { lte: toSeconds(to) }) }
        const page = { limit: 100, ...(after && { starting_after: after }) }
        const { data, has_more } = await stripe.events.list(
          { types: [...eventTypes], created, ...page },
          brief,
        )
        return { events: data.map(toEvent), hasMore: has_more }
      }),
    readEvent: async (body, signature) => readEvent(stripe, body, signature, settings.webhookSecret),
    missingForTax: () => missingForTax(stripe, asking),
  }
}

async function missingForTax({ tax }: Stripe, { ask }: Ask): ReturnType<Payments['missingForTax']> {
  const { status, status_details } = await ask('tax.settings.retrieve', () =>
    tax.settings.retrieve({}, brief),
  )
  return status === 'active' ? [] : (status_details.pending?.missing_fields ?? [])
}

const keyOf = (name: string, attempt: number) => (attempt === 1 ? name : `${name}-${attempt}`)

/**
 * Returns the next attempt's parameters, where a refusal is no fault of the product. Undefined where the same would be
 * refused again. Null: what the shop asks for today. Stored parameters may be of a version that stated no defaults, which an
 * account with Managed Payments refuses. That Link sells is never left out: the author would sell instead.
 */
export function replacementOf(stored: object, param: string | undefined): object | null | undefined {
  const [name] = param?.split('[') ?? []
  const isDefault = name !== undefined && name in statedDefaults && askedSeller(stored) === 'author'
  const isOptional = name === 'customer_email' || isDefault
  if (isOptional && name in stored)
    return Object.fromEntries(Object.entries(stored).filter(([each]) => each !== name))
  const isOld = Object.keys(statedDefaults).every((each) => !(each in stored))
  return isOld ? null : undefined
}

type Checkouts = Pick<
  Payments,
  'openCheckout' | 'listOpenCheckouts' | 'listPaidCheckouts' | 'readCheckout' | 'endCheckout' | 'findCheckout'
>

function checkoutsOf(stripe: Stripe, { ask, askUnderKey }: Ask): Checkouts {
  const { sessions } = stripe.checkout
  return {
    async openCheckout({ purchase_id, attempt, parameters }) {
      const response = await askUnderKey('checkout.sessions.create', async () => {
        const idempotencyKey = keyOf(`checkout-${purchase_id}`, attempt)
        const session = await sessions.create(parameters, { idempotencyKey, ...once })
        const { id, url } = session
        if (!url) throw new Error(`the checkout ${id} has no address`)
        return { session_id: id, url, sold_by: soldBy(session) }
      })
      if (!('refusal' in response)) return response
      const { refusal, param } = response
      return { refusal, replacement: replacementOf(parameters, param) }
    },
    listOpenCheckouts: ({ purchase_id, from, to }) =>
      ask('checkout.sessions.list', async () => {
        const created = { gte: toSeconds(from), lte: toSeconds(to) }
        const listed = sessions.list({ created, status: 'open', limit: 100 }, brief)
        const open: string[] = []
        let read = 0
        for await (const { id, client_reference_id } of listed) {
          if (client_reference_id === purchase_id) open.push(id)
          read += 1
          if (read >= maxListed) break
        }
        return open
      }),
    listPaidCheckouts: ({ from, after }) =>
      ask('checkout.sessions.list', async () => {
        const params = { status: 'complete', created: { gte: toSeconds(from) }, limit: 100 } as const
        const { data, has_more } = await sessions.list(
          { ...params, ...(after && { starting_after: after }) },
          brief,
        )
        return { checkouts: data.map(toListed), hasMore: has_more }
      }),
    async readCheckout(session_id, { isBrief } = {}) {
      const options = isBrief ? brief : {}
      const session = await ask('checkout.sessions.retrieve', () =>
        sessions
          .retrieve(session_id, { expand: ['payment_intent', 'invoice'] }, options)
          .catch((error: unknown) => {
            if (isUnknown(error)) return undefined
            throw error
          }),
      )
      return session && toCheckout(session, await readAdjustments(stripe, ask, session, options))
    },
    endCheckout: (session_id) =>
      ask('checkout.sessions.expire', async () => {
        await sessions.expire(session_id).catch((error: unknown) => {
          if (!refusalOf(error)) throw error
        })
      }),
    findCheckout: (payment_intent) =>
      ask(
        'checkout.sessions.list',
        async () => (await sessions.list({ payment_intent, limit: 1 })).data[0]?.id,
      ),
  }
}

async function createRefund(
  stripe: Stripe,
  { ask, askUnderKey }: Ask,
  { payment_intent, amount, currency, key, attempt }: Parameters<Payments['refund']>[0],
): ReturnType<Payments['refund']> {
  // Stripe forgets idempotency keys after a day, and a failed response says nothing about what was done.
  const isMade = await ask('refunds.list', async () => {
    const { data } = await stripe.refunds.list({ payment_intent, limit: 100 })
    return data.some(({ metadata }) => metadata?.['request_id'] === key)
  }).catch((error: unknown) => {
    const refused = refusalOf(error)
    if (refused) return refused
    throw error
  })
  if (typeof isMade === 'object') return isMade
  if (isMade) return {}
  const params = { payment_intent, amount: toMinor(amount, currency), metadata: { request_id: key } }
  const refund = await askUnderKey('refunds.create', () =>
    stripe.refunds.create(params, { idempotencyKey: keyOf(`refund-${key}`, attempt), ...once }),
  )
  return 'refusal' in refund || 'usedKey' in refund ? refund : {}
}

function readEvent({ webhooks }: Stripe, body: string, signature: string, secret: string | undefined) {
  // Anybody can sign with an empty secret.
  if (!secret) throw platformProblem('payments.bad_signature')
  try {
    return toEvent(webhooks.constructEvent(body, signature, secret))
  } catch (error) {
    const isSigned = !(error instanceof Stripe.errors.StripeSignatureVerificationError)
    // The library refuses these after it has checked the signature.
    const isThin = isSigned && body.includes('"v2.core.event"')
    throw platformProblem(isThin ? 'payments.thin_event' : 'payments.bad_signature', { cause: error })
  }
}
