// Amounts are decimals in the database, on the wire and in stored settings. Code computes in whole cents.
import { currentLocale } from '#words/texts.ts'
import { byLocale } from './intl.ts'

/**
 * Whole hundredths of the currency's unit, also where Stripe counts other minor units. A bigint: unlike a decimal, which is a
 * number, it is added and compared exactly, and the compiler and JSON refuse one in the place of the other.
 */
export type Cents = bigint

export const toCents = (amount: number): Cents => BigInt(Math.round(amount * 100))
export function fromCents(cents: Cents): number
export function fromCents(cents: Cents | null): number | null
export function fromCents(cents: Cents | null): number | null {
  return cents === null ? null : Number(cents) / 100
}

export function addCents(amounts: readonly Cents[]): Cents {
  return amounts.reduce((sum, cents) => sum + cents, 0n)
}

/** `percent` is whole. Half a unit is rounded up. */
export function percentOf(cents: Cents, percent: number, currency: string): Cents {
  const smallest = smallestOf(currency)
  return (((cents * BigInt(percent)) / smallest + 50n) / 100n) * smallest
}

/** The share of a tax in a part of the amount that it is in. Half a unit is rounded up. */
export function sharedTax(
  tax: Cents,
  { part, whole }: { part: Cents; whole: Cents },
  currency: string,
): Cents {
  const smallest = smallestOf(currency)
  if (whole === 0n) return 0n
  return ((2n * tax * part + whole * smallest) / (2n * whole * smallest)) * smallest
}

/** ISO codes in lower case, of currencies that a shop may have. */
export const currenciesWithoutDecimals = ['jpy', 'krw']

function smallestOf(currency: string): Cents {
  return currenciesWithoutDecimals.includes(currency) ? 100n : 1n
}

/** True for multiples of the smallest coin: nobody has half a yen. */
export function isPayable(cents: Cents, currency: string): boolean {
  return cents % smallestOf(currency) === 0n
}

export const withoutDecimals = (currency: string) => `Amounts in ${currency.toUpperCase()} have no decimals.`

/** The product is inexact: 1.15 * 100 is 114.99999999999999. */
export function isWholeCents(amount: number): boolean {
  return Math.abs(Math.round(amount * 100) - amount * 100) < 1e-6
}

/** Writes two decimals without a currency, as the database does. */
export function toDecimal(amount: number, currency = ''): string {
  return amount.toFixed(currenciesWithoutDecimals.includes(currency) ? 0 : 2)
}

const formats = byLocale(() => new Map<string, Intl.NumberFormat>())

function formatOf(currency: string, trailingZeroDisplay: 'auto' | 'stripIfInteger' = 'auto') {
  const key = `${currency} ${trailingZeroDisplay}`
  const created =
    formats().get(key) ??
    new Intl.NumberFormat(currentLocale(), { style: 'currency', currency, trailingZeroDisplay })
  formats().set(key, created)
  return created
}

export function formatCents(cents: Cents, currency: string): string {
  return formatMoney(fromCents(cents), currency)
}

export function formatMoney(amount: number, currency: string): string {
  return withMinus(formatOf(currency).format(amount))
}

/** Leaves out decimals that are zero. */
export function formatShortMoney(amount: number, currency: string): string {
  return withMinus(formatOf(currency, 'stripIfInteger').format(amount))
}

/** Intl writes a hyphen in most languages. */
const withMinus = (amount: string) => amount.replace('-', '−')

export function currencySign(currency: string): string {
  return (
    formatOf(currency)
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? currency
  )
}
