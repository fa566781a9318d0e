import { formatMoney } from '#platform/contract/money.ts'
import { useCurrency } from './shop.ts'

export function useFormatMoney(): (amount: number) => string {
  const currency = useCurrency()
  return (amount) => formatMoney(amount, currency)
}

export function Money({ amount }: { amount: number }) {
  return useFormatMoney()(amount)
}
