// The words of a checkout that Stripe has opened, with somebody else as the seller than the buyer is told.
import type { Seller } from '#contract/orders/seller.ts'

export function otherSeller(told: Seller): string {
  return told === 'stripe'
    ? 'The payment page opened with you as the seller, not Link. Are Managed Payments switched on in Stripe’s dashboard?'
    : 'The payment page opened with Link as the seller, though the shop asked for you.'
}
