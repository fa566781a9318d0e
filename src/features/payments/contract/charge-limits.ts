// docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
import { minCharges, type Currency } from '#platform/contract/currencies.ts'
import { compareMoney, formatMoney } from '#platform/contract/money.ts'

const most = 999_999.99

export function chargeLimits(currency: Currency) {
  const least = minCharges[currency]
  const [from, to] = [least, most].map((amount) => formatMoney(amount, currency))
  return { least, most, words: `Stripe takes no payment under ${from} or over ${to}.` }
}

export function isChargeable(amount: number, currency: Currency): boolean {
  const limits = chargeLimits(currency)
  const isWithin = compareMoney(amount, limits.least) >= 0 && compareMoney(amount, limits.most) <= 0
  return amount === 0 || isWithin
}
