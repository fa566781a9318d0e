// The account at Stripe: its webhook endpoints, its key, and a trial of a checkout.
import { Stripe } from 'stripe'
import { platformProblem } from '../problem.ts'
import { connectStripe, eventTypes, replacementOf } from './open-stripe.ts'
import { askedSeller, soldBy } from './objects.ts'
import type { PaymentSettings } from './payments.ts'
import { otherSeller } from './seller-words.ts'

type Key = Pick<PaymentSettings, 'secretKey' | 'apiBase'>

/** Stripe gives the secret only when an endpoint is made. */
type MadeEndpoint = { id: string; secret: string }
type RefusedEndpoint = { refused: string }

/** Two endpoints that are made at the same time are not in each other's `others`. */
export async function makeEndpoint(
  key: Key,
  { url, formerUrls }: { url: string; formerUrls: readonly string[] },
): Promise<(MadeEndpoint | RefusedEndpoint) & { others: string[] }> {
  try {
    const others = await listEndpoints(key, [url, ...formerUrls])
    return { ...(await create(key, url)), others }
  } catch (cause) {
    // A restricted key without the right to webhooks.
    if (cause instanceof Stripe.errors.StripePermissionError) return { refused: cause.message, others: [] }
    throw platformProblem('payments.unavailable', { retryAfter: 5, cause })
  }
}

async function create(key: Key, url: string): Promise<MadeEndpoint | RefusedEndpoint> {
  // Stripe would write events in the account's version, which may be older than the library that reads them.
  const api_version = Stripe.API_VERSION
  const params = { url, enabled_events: [...eventTypes], description: 'Made by Lectern', api_version }
  try {
    const { id, secret } = await connectStripe(key).webhookEndpoints.create(params)
    if (!secret) throw new Error(`the webhook endpoint ${id} came without its secret`)
    return { id, secret }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return { refused: error.message }
    throw error
  }
}

export async function listEndpoints(key: Key, urls: readonly string[]): Promise<string[]> {
  const result: string[] = []
  for await (const { id, url } of connectStripe(key).webhookEndpoints.list({ limit: 100 }))
    if (urls.includes(url)) result.push(id)
  return result
}

type FoundEndpoint = { isEnabled: boolean; missingEvents: string[] }

export async function readEndpoints(key: Key, url: string): Promise<FoundEndpoint[] | undefined> {
  const result: FoundEndpoint[] = []
  try {
    for await (const endpoint of connectStripe(key).webhookEndpoints.list({ limit: 100 })) {
      const events = new Set(endpoint.enabled_events)
      const missingEvents = events.has('*') ? [] : eventTypes.filter((type) => !events.has(type))
      if (endpoint.url === url) result.push({ isEnabled: endpoint.status === 'enabled', missingEvents })
    }
    return result
  } catch (cause) {
    if (cause instanceof Stripe.errors.StripePermissionError) return undefined
    throw platformProblem('payments.unavailable', { retryAfter: 5, cause })
  }
}

export async function removeEndpoints(key: Key, ids: readonly string[]) {
  const stripe = connectStripe(key)
  for (const id of ids)
    try {
      await stripe.webhookEndpoints.del(id)
    } catch (error) {
      const isGone =
        error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
      if (!isGone) throw error
    }
}

const { errors } = Stripe

export type KeyReport =
  | { refused: string }
  | { missing: string[] }
  | { account: { id: string; name: string }; takesPayments: boolean }

export async function inspectKey(key: Key): Promise<KeyReport> {
  const stripe = connectStripe(key)
  try {
    const isRestricted = key.secretKey.startsWith('rk_')
    const missing = isRestricted ? await findMissing(stripe) : []
    if (missing.length > 0) return { missing }
    const { id, business_profile, settings, charges_enabled } = await stripe.accounts.retrieveCurrent()
    const name = settings?.dashboard.display_name ?? business_profile?.name ?? ''
    return { account: { id, name: name || id }, takesPayments: charges_enabled }
  } catch (error) {
    if (error instanceof errors.StripeAuthenticationError) return { refused: error.message }
    if (error instanceof errors.StripePermissionError) return { refused: error.message }
    throw platformProblem('payments.unavailable', { retryAfter: 5, cause: error })
  }
}

type Probe = (stripe: Stripe) => Promise<unknown>

/** Keys are the names of Stripe's dashboard. Stripe checks permissions before parameters, so empty writes do nothing. */
const probes: Record<string, Probe> = {
  'Accounts: read': ({ accounts }) => accounts.retrieveCurrent(),
  'Checkout Sessions: write': ({ checkout }) => checkout.sessions.create({}),
  'Charges and Refunds: write': ({ refunds }) => refunds.create({}),
  'PaymentIntents: read': ({ paymentIntents }) => paymentIntents.list({ limit: 1 }),
  'Disputes: read': ({ disputes }) => disputes.list({ limit: 1 }),
  'Invoices: read': ({ invoices }) => invoices.list({ limit: 1 }),
  'Events: read': ({ events }) => events.list({ limit: 1 }),
  'Webhook Endpoints: write': (stripe) => stripe.rawRequest('POST', '/v1/webhook_endpoints', {}),
}

async function findMissing(stripe: Stripe): Promise<string[]> {
  const missing: string[] = []
  for (const [name, probe] of Object.entries(probes)) {
    try {
      await probe(stripe)
    } catch (error) {
      if (error instanceof errors.StripePermissionError) missing.push(name)
      else if (!(error instanceof errors.StripeInvalidRequestError)) throw error
    }
  }
  return missing
}

/**
 * Returns Stripe’s words where it refuses the session, also without what a buyer's next attempt would leave out. Nobody
 * can pay the session, as it ends at once.
 */
export async function tryCheckout(key: Key, params: object): Promise<{ refused?: string }> {
  const { sessions } = connectStripe(key).checkout
  try {
    const session = await sessions.create(params)
    await sessions.expire(session.id)
    const seller = askedSeller(params)
    return soldBy(session) === seller ? {} : { refused: otherSeller(seller) }
  } catch (cause) {
    if (cause instanceof errors.StripeInvalidRequestError) {
      const replacement = replacementOf(params, cause.param)
      return replacement ? tryCheckout(key, replacement) : { refused: cause.message }
    }
    if (cause instanceof errors.StripePermissionError) return { refused: cause.message }
    throw platformProblem('payments.unavailable', { retryAfter: 5, cause })
  }
}
