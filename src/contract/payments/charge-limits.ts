// docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
import { minCharges, type Currency } from '../currencies.ts'
import { formatCents, isPayable, toCents, type Cents } from '../money.ts'

/** Eight digits of the currency's smallest unit. */
const maxDigits = 99_999_999n

export function chargeLimits(currency: Currency) {
  const min = toCents(minCharges[currency])
  const max = isPayable(1n, currency) ? maxDigits : maxDigits * 100n
  const [from, to] = [min, max].map((amount) => formatCents(amount, currency))
  return { min, max, words: `Stripe takes no payment under ${from} or over ${to}.` }
}

export function isChargeable(amount: Cents, currency: Currency): boolean {
  const limits = chargeLimits(currency)
  return isPayable(amount, currency) && (amount === 0n || (amount >= limits.min && amount <= limits.max))
}
