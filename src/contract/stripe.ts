// The limits of Stripe: its currencies, amounts and keys.
import { z } from 'zod'
import { formatCents, isPayable, toCents, type Cents } from './money.ts'

/**
 * Minimum of one payment, in the currencies with two decimals, or none (money.ts), for which Stripe documents one
 * (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts); and KRW. HUF is not among them: its payouts have no decimals.
 */
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

/** Eight digits of the currency's smallest unit (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const maxDigits = 99_999_999n

export function chargeLimits(currency: Currency) {
  const min = toCents(minCharges[currency])
  const max = isPayable(1n, currency) ? maxDigits : maxDigits * 100n
  const [from, to] = [min, max].map((amount) => formatCents(amount, currency))
  return { min, max, words: `Stripe takes no payment under ${from} or over ${to}.` }
}

export function isChargeable(amount: Cents, currency: Currency): boolean {
  const limits = chargeLimits(currency)
  return isPayable(amount, currency) && (amount === 0n || (amount >= limits.min && amount <= limits.max))
}

export const stripeKey = z.string().regex(/^[sr]k_(test|live)_/, 'must begin with sk_test_ or sk_live_')

export function isLiveKey(key: string | undefined): boolean {
  return /^[sr]k_live_/.test(key ?? '')
}
