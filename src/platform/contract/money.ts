// Money as people read it, on the pages and in the mails.
import { lazy } from './lazy.ts'

const dollars = lazy(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }))

export function formatDollars(amount: number): string {
  return dollars().format(amount)
}

/** "$12.34"; "12.34 EUR" for what is not in dollars, and "1234 JPY", since not all currencies have cents. */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'usd') return formatDollars(amount)
  return `${Number.isInteger(amount) ? amount : amount.toFixed(2)} ${currency.toUpperCase()}`
}
