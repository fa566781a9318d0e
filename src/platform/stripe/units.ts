// Stripe's numbers: minor units of a currency, and seconds.

/**
 * Currencies that Stripe does not count in hundredths (docs.stripe.com/currencies). ISK and UGX have no cents any more,
 * but still are. Of thousandths the last digit is always 0, so that two decimals say all of it.
 */
const inWholes: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
)
const inThousandths: ReadonlySet<string> = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

function minorUnitsOf(currency: string): number {
  if (inWholes.has(currency)) return 1
  return inThousandths.has(currency) ? 1000 : 100
}

export const toMinor = (amount: number, currency: string) => Math.round(amount * minorUnitsOf(currency))
export const fromMinor = (minor: number, currency: string) => minor / minorUnitsOf(currency)
export const toSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)
export const fromSeconds = (seconds: number) => new Date(seconds * 1000)

/** Of what Stripe gives as an object when it was expanded, else as its id. */
export function idOf(value: string | { id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
