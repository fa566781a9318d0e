// Converts amounts, times and ids between the shop and Stripe.
import type { Cents } from '#contract/money.ts'

// docs.stripe.com/currencies. ISK and UGX still count in hundredths; the last digit of thousandths is always 0.
const inWholes: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
)
const inThousandths: ReadonlySet<string> = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

function minorUnitsOf(currency: string): number {
  if (inWholes.has(currency)) return 1
  return inThousandths.has(currency) ? 1000 : 100
}

export const toMinor = (cents: Cents, currency: string): number =>
  Math.round((Number(cents) * minorUnitsOf(currency)) / 100)
export const fromMinor = (minor: number, currency: string): Cents =>
  BigInt(Math.round((minor * 100) / minorUnitsOf(currency)))
export const toSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)
export const fromSeconds = (seconds: number) => new Date(seconds * 1000)

export function idOf(value: string | { id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
