// docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
import { minCharges, type Currency } from '#platform/contract/currencies.ts'
import { formatCents, toCents, type Cents } from '#platform/contract/money.ts'

const max = 99_999_999n

export function chargeLimits(currency: Currency) {
  const min = toCents(minCharges[currency])
  const [from, to] = [min, max].map((amount) => formatCents(amount, currency))
  return { min, max, words: `Stripe takes no payment under ${from} or over ${to}.` }
}

export function isChargeable(amount: Cents, currency: Currency): boolean {
  const limits = chargeLimits(currency)
  return amount === 0n || (amount >= limits.min && amount <= limits.max)
}
