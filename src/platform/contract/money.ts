// Amounts are decimals in the database, on the wire and in stored settings. Code computes in whole cents.

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

/** `percent` is whole. Half a cent is rounded up. */
export function percentOf(cents: Cents, percent: number): Cents {
  return (cents * BigInt(percent) + 50n) / 100n
}

/** The product is inexact: 1.15 * 100 is 114.99999999999999. */
export function isWholeCents(amount: number): boolean {
  return Math.abs(Math.round(amount * 100) - amount * 100) < 1e-6
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

export function formatCents(cents: Cents, currency: string): string {
  return formatMoney(fromCents(cents), currency)
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
