import { Stripe } from 'stripe'
import { PlatformRefusal } from '../refusal.ts'
import { connectStripe } from './connect-stripe.ts'
import type { PaymentSettings } from './payments.ts'

const { errors } = Stripe

export type KeyReport =
  | { refused: string }
  | { missing: string[] }
  | { account: { id: string; name: string }; takesPayments: boolean }

type Key = Pick<PaymentSettings, 'secretKey' | 'apiBase'>

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
    throw new PlatformRefusal('payments.unavailable', { retryAfter: 5, cause: error })
  }
}

type Probe = (stripe: Stripe) => Promise<unknown>

/** By the names of Stripe's dashboard. Stripe checks permissions before parameters, so empty writes do nothing. */
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
