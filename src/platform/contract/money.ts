// Money: the only place that computes with amounts. On the wire and in code an amount is a decimal with at most two
// digits; sums, differences and comparisons are made in whole cents, since floating-point sums of decimals are inexact.
import { lazy } from './lazy.ts'

export const toCents = (amount: number): number => Math.round(amount * 100)
export const fromCents = (cents: number): number => cents / 100

export function addMoney(amounts: readonly number[]): number {
  return fromCents(amounts.reduce((cents, amount) => cents + toCents(amount), 0))
}

export function subtractMoney(amount: number, subtrahend: number): number {
  return fromCents(toCents(amount) - toCents(subtrahend))
}

/** Of an amount, to the cent; half a cent is rounded up. */
export function percentOf(amount: number, percent: number): number {
  return fromCents(Math.round((toCents(amount) * percent) / 100))
}

/** Negative where `one` is less than `other`, 0 where they are the same number of cents. */
export function compareMoney(one: number, other: number): number {
  return toCents(one) - toCents(other)
}

/** False for what has more than two decimals. The product is inexact: 1.15 * 100 is 114.99999999999999. */
export function isWholeCents(amount: number): boolean {
  return Math.abs(toCents(amount) - amount * 100) < 1e-6
}

/** "12.30": for number fields and machines. */
export function toDecimal(amount: number): string {
  return amount.toFixed(2)
}

const dollars = lazy(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }))

/** "$1,234.50". */
export function formatDollars(amount: number): string {
  return dollars().format(amount)
}

/** "$12.34"; "12.34 EUR" for other currencies, and "1234 JPY", since not all currencies have cents. */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'usd') return formatDollars(amount)
  return `${Number.isInteger(amount) ? amount : toDecimal(amount)} ${currency.toUpperCase()}`
}
