// What Stripe takes in one payment in dollars, or nothing at all
// (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).

export const chargeLimits = {
  least: 0.5,
  most: 999_999.99,
  words: 'Stripe takes no payment under $0.50 or over $999,999.99.',
}

export function isChargeable(dollars: number): boolean {
  return dollars === 0 || (dollars >= chargeLimits.least && dollars <= chargeLimits.most)
}
