// The library takes 35 MB: import this file where a call is made.
import { Stripe } from 'stripe'
import type { PaymentSettings } from './payments.ts'

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

/** What may change a purchase, as in docs/operations.md. Stripe lists at most 20 kinds at once. */
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
