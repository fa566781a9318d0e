// Those with two decimals, or none (money.ts), for which Stripe documents a minimum charge; and KRW.
import { z } from 'zod'

/** Minimum of one payment (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). HUF: its payouts have no decimals. */
export const minCharges = {
  aed: 2,
  aud: 0.5,
  brl: 0.5,
  cad: 0.5,
  chf: 0.5,
  czk: 15,
  dkk: 2.5,
  eur: 0.5,
  gbp: 0.3,
  hkd: 4,
  inr: 0.5,
  jpy: 50,
  /** Its minimum is what 0.50 USD are worth. */
  krw: 1000,
  mxn: 10,
  myr: 2,
  nok: 3,
  nzd: 0.5,
  pln: 2,
  ron: 2,
  sek: 3,
  sgd: 0.5,
  thb: 10,
  usd: 0.5,
} as const

export type Currency = keyof typeof minCharges

function isCurrency(code: string): code is Currency {
  return Object.hasOwn(minCharges, code)
}

export const currencyCodes = Object.keys(minCharges).filter(isCurrency)

export const currency = z.enum(currencyCodes, 'Please choose a currency of the list.')

export function currencyName(code: string): string {
  return new Intl.DisplayNames('en-US', { type: 'currency' }).of(code.toUpperCase()) ?? code
}
