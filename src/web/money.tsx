import { useRouteLoaderData } from 'react-router'
import { formatMoney } from './format.ts'
import type { loader } from './root.tsx'

/** ISO code in lower case. */
export function useCurrency(): string {
  const root = useRouteLoaderData<typeof loader>('root')
  if (!root) throw new Error('This is shown outside of the site.')
  return root.currency
}

export function useFormatMoney(): (amount: number) => string {
  const currency = useCurrency()
  return (amount) => formatMoney(amount, currency)
}

export function Money({ amount }: { amount: number }) {
  return useFormatMoney()(amount)
}
