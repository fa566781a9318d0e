// docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
import { minCharges, type Currency } from '#platform/contract/currencies.ts'
import { compareMoney, formatMoney } from '#platform/contract/money.ts'

const max = 999_999.99

export function chargeLimits(currency: Currency) {
  const min = minCharges[currency]
  const [from, to] = [min, max].map((amount) => formatMoney(amount, currency))
  return { min, max, words: `Stripe takes no payment under ${from} or over ${to}.` }
}

export function isChargeable(amount: number, currency: Currency): boolean {
  const limits = chargeLimits(currency)
  const isWithin = compareMoney(amount, limits.min) >= 0 && compareMoney(amount, limits.max) <= 0
  return amount === 0 || isWithin
}
