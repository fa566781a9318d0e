// The limits of one payment, in minor units (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). Stripe takes other
// currencies, too: those here are the ones that a shop sells in.
import { formatMinor } from './layout.ts'
import { Refusal } from './refusal.ts'

const least: Record<string, number> = {
  aed: 200,
  aud: 50,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  inr: 50,
  jpy: 50,
  krw: 1000,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
}
const most = 99_999_999

export const currencies = Object.keys(least)

/** Nothing at all is fine. */
export function requireChargeable(total: number, currency: string): void {
  const smallest = least[currency] ?? 0
  if (total > 0 && total < smallest)
    throw new Refusal(
      `The Checkout Session's total amount due must add up to at least ${formatMinor(smallest, currency)} ${currency}`,
      { code: 'amount_too_small' },
    )
  if (total > most)
    throw new Refusal(
      `The Checkout Session's total amount due must be no more than ${formatMinor(most, currency)}`,
      { code: 'amount_too_large' },
    )
}
