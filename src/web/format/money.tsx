// Shows amounts of money in the shop’s currency.
import { formatMoney, formatShortMoney } from '#contract/money.ts'
import { useCurrency } from '../shop.ts'

export function useFormatMoney(): (amount: number) => string {
  const currency = useCurrency()
  return (amount) => formatMoney(amount, currency)
}

/** Leaves out decimals that are zero. */
export function useFormatShortMoney(): (amount: number) => string {
  const currency = useCurrency()
  return (amount) => formatShortMoney(amount, currency)
}

export function Money({ amount }: { amount: number }) {
  return useFormatMoney()(amount)
}
