// Stripe's own library for tests, led to the stand-in, and an order that both take.
import { Stripe } from 'stripe'
import type { StripeStandIn } from './stripe.ts'

export function libraryFor({ url }: StripeStandIn, timeout = 30_000, key = 'sk_test_x') {
  const { hostname: host, port } = new URL(url)
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0, timeout })
}

export const order = {
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 1499, product_data: { name: 'A book' } },
    },
  ],
  metadata: { purchase_id: 'p1' },
  success_url: 'http://shop.example/paid?session={CHECKOUT_SESSION_ID}',
} satisfies Stripe.Checkout.SessionCreateParams
