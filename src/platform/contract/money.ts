// Amounts are decimals; sums and comparisons are made in whole cents, since floating-point sums of decimals are inexact.

export const toCents = (amount: number): number => Math.round(amount * 100)
export const fromCents = (cents: number): number => cents / 100

export function addMoney(amounts: readonly number[]): number {
  return fromCents(amounts.reduce((cents, amount) => cents + toCents(amount), 0))
}

export function subtractMoney(amount: number, subtrahend: number): number {
  return fromCents(toCents(amount) - toCents(subtrahend))
}

/** Half a cent is rounded up. */
export function percentOf(amount: number, percent: number): number {
  return fromCents(Math.round((toCents(amount) * percent) / 100))
}

export function compareMoney(one: number, other: number): number {
  return toCents(one) - toCents(other)
}

/** The product is inexact: 1.15 * 100 is 114.99999999999999. */
export function isWholeCents(amount: number): boolean {
  return Math.abs(toCents(amount) - amount * 100) < 1e-6
}

export function toDecimal(amount: number): string {
  return amount.toFixed(2)
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const made = formats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  formats.set(currency, made)
  return made
}

export function formatMoney(amount: number, currency: string): string {
  return formatOf(currency).format(amount)
}

export function currencySign(currency: string): string {
  return (
    formatOf(currency)
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? currency
  )
}
