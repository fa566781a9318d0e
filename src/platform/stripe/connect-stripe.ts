// The library of Stripe with a key. It takes 35 MB, so this file is imported where a call is made.
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
