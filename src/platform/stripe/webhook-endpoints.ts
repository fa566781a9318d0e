// The endpoint to which Stripe posts events.
import { Stripe } from 'stripe'
import { PlatformRefusal } from '../refusal.ts'
import { connectStripe } from './connect-stripe.ts'
import { eventTypes } from './event-types.ts'
import type { PaymentSettings } from './payments.ts'

type Key = Pick<PaymentSettings, 'secretKey' | 'apiBase'>

/** Stripe tells the secret only when an endpoint is made. */
export type MadeEndpoint = { id: string; secret: string }

/**
 * A new one at `url`, which may be there already. `refused`: why Stripe makes none, in its words, mostly because it cannot
 * reach the address. Throws payments.unavailable.
 */
export async function makeEndpoint(key: Key, url: string): Promise<MadeEndpoint | { refused: string }> {
  const stripe = connectStripe(key)
  try {
    const wanted = { url, enabled_events: [...eventTypes], description: 'Made by Lectern' }
    const { id, secret } = await stripe.webhookEndpoints.create(wanted)
    if (!secret) throw new Error(`the webhook endpoint ${id} came without its secret`)
    return { id, secret }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return { refused: error.message }
    throw new PlatformRefusal('payments.unavailable', { retryAfter: 5, cause: error })
  }
}

/** Those at one of the addresses but `kept`. */
export async function removeEndpoints(
  key: Key,
  { urls, kept }: { urls: readonly string[]; kept: string | undefined },
): Promise<void> {
  const stripe = connectStripe(key)
  const stale: string[] = []
  for await (const { id, url } of stripe.webhookEndpoints.list({ limit: 100 }))
    if (urls.includes(url) && id !== kept) stale.push(id)
  for (const id of stale) await stripe.webhookEndpoints.del(id)
}

export async function removeEndpoint(key: Key, id: string): Promise<void> {
  await connectStripe(key).webhookEndpoints.del(id)
}
