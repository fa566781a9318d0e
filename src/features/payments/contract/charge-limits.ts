// What Stripe takes in one payment in dollars, or nothing at all
// (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).

import { compareMoney } from '#platform/contract/money.ts'

export const chargeLimits = {
  least: 0.5,
  most: 999_999.99,
  words: 'Stripe takes no payment under $0.50 or over $999,999.99.',
}

export function isChargeable(dollars: number): boolean {
  const isWithin =
    compareMoney(dollars, chargeLimits.least) >= 0 && compareMoney(dollars, chargeLimits.most) <= 0
  return dollars === 0 || isWithin
}
