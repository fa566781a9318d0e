// The price of a purchase, with discounts and shipping, and the promises made with it. It has no zod: public pages carry this.
import type { Release } from '../catalog/products.ts'
import { dayMs } from '../durations.ts'
import { formatPercent } from '../intl.ts'
import { fromCents, percentOf, toCents, type Cents } from '../money.ts'
import { cardsTexts, refundsTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'

/** One of the two is null. */
type Terms<Amount> = { percent: number | null; amount_off: Amount | null }

export function takenOff(price: Cents, { percent, amount_off }: Terms<Cents>, currency: string): Cents {
  const off = percent === null ? (amount_off ?? 0n) : percentOf(price, percent, currency)
  return off < price ? off : price
}

export function lowerPrice(fullPrice: number, { percent, amount_off }: Terms<number>, currency: string) {
  const full = toCents(fullPrice)
  const terms = { percent, amount_off: amount_off === null ? null : toCents(amount_off) }
  const saved = takenOff(full, terms, currency)
  return { price: fromCents(full - saved), fullPrice, saved: fromCents(saved) }
}

type CodeTerms = Terms<number> & { product_id: string | null }

/**
 * `fullPrice` is struck out; undefined where what is compared stands nowhere on the page. `isLowest`: it is the lowest of the
 * thirty days before the code, which may be said.
 */
export type Saving = { fullPrice?: number; saved: number; isLowest?: boolean }

type AnnouncedCode = CodeTerms & { former_prices: Readonly<Record<string, number>> | null }

/**
 * Returns what a code may be said to save: from the lowest price of the thirty days before its reduction, never from more
 * than the present price (Directive 98/6, article 6a; C-330/23). Undefined where the price with the code is not below it.
 */
export function savingWith(
  { id, price: present }: { id: string; price: number },
  code: AnnouncedCode,
  currency: string,
): Saving | undefined {
  const { price } = lowerPrice(present, code, currency)
  const lowest = code.former_prices ? code.former_prices[id] : present
  if (lowest === undefined) return undefined
  const fullPrice = Math.min(lowest, present)
  const saved = fromCents(toCents(fullPrice) - toCents(price))
  return saved > 0
    ? { fullPrice, saved, isLowest: code.former_prices !== null && lowest <= present }
    : undefined
}

/** True where the code changes the price of this product. */
export function isLowered(
  { id, price }: { id: string; price: number },
  code: CodeTerms,
  currency: string,
): boolean {
  const isForIt = code.product_id === null || code.product_id === id
  return isForIt && lowerPrice(price, code, currency).saved > 0
}

/** “20% off” */
export function takesOff<Amount>(
  { percent, amount_off }: Terms<Amount>,
  format: (amount: Amount) => string,
): string {
  const amount = amount_off === null ? formatPercent(Number(percent) / 100) : format(amount_off)
  return fill(cardsTexts.off, { amount })
}

/** Amounts are in the shop's currency; `country_prices` has them by country. */
export type ShippingPrices = {
  countries: readonly string[]
  price: number
  country_prices: Readonly<Record<string, number>>
}

/** `none`: no tax is due. Until the author has chosen, nothing is said of it. */
export const taxesInPrices = ['included', 'added', 'none'] as const
export type TaxInPrices = (typeof taxesInPrices)[number]

/** `has_tax`: Stripe works it out. */
export type TaxTerms = { has_tax: boolean; in_prices?: TaxInPrices | undefined }

/** True where more than the sum of the prices may be paid. What an account at Stripe has preset is not known here. */
export function addsTax({ has_tax, in_prices }: TaxTerms): boolean {
  return in_prices === 'added' || (has_tax && in_prices !== 'included')
}

export type ShippingRange = { min: number; max: number }

type Prices = Omit<ShippingPrices, 'countries'>

export function shippingPrice({ price, country_prices }: Prices, country: string): number {
  return country_prices[country] ?? price
}

export function shippingRange({ countries, ...prices }: ShippingPrices): ShippingRange {
  const all = countries.map((country) => shippingPrice(prices, country))
  return { min: Math.min(...all), max: Math.max(...all) }
}

export function isFree({ max }: ShippingRange): boolean {
  return max === 0
}

export function isOnePrice({ min, max }: ShippingRange): boolean {
  return min === max
}

/** What limits the promise, as the pages and receipts say it. */
export function refundConditions({ ships }: { ships: boolean }): string {
  return ships ? `${refundsTexts.once} ${refundsTexts.paperFirst}` : refundsTexts.once
}

/** Writes the promise in full, for evidence and emails. The home page needs the conditions alone. */
export function refundPolicy({ refund_days: days }: { refund_days: number }): string {
  if (days === 0) return 'No refund without a reason was promised with this purchase.'
  return `${days}-day money-back guarantee: within ${days} days of a purchase, or of the release where it comes out later, the buyer may have all of the money back, without giving a reason, by a button on the dashboard or by writing to the author. Access to digital files ends with a full refund. ${refundConditions({ ships: true })}`
}

/** Days that the link of a receipt works, or one that is made on a page: from then, or from a release that is still to come. */
export const linkDays = 30

/** Whole days from now for which a link that is made now works. */
export function linkDaysOf(release: Release | null | undefined): number {
  const untilRelease = release ? Math.floor((Date.parse(release.on) - Date.now()) / dayMs) : 0
  return Math.max(untilRelease, 0) + linkDays
}
