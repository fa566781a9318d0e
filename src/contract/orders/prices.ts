// The price of shipping by country, in the shop's currency. Without zod: visitors' pages carry this.
import { byLocale } from '../intl.ts'
import { fromCents, percentOf, toCents, type Cents } from '../money.ts'
import { cardsTexts } from '#words/buying.ts'
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

/** Whether a code changes the price of this product. */
export function isLowered(
  { id, price }: { id: string; price: number },
  code: CodeTerms,
  currency: string,
): boolean {
  const isForIt = code.product_id === null || code.product_id === id
  return isForIt && lowerPrice(price, code, currency).saved > 0
}

const percents = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

/** “20% off” */
export function takesOff<Amount>(
  { percent, amount_off }: Terms<Amount>,
  format: (amount: Amount) => string,
): string {
  const amount = amount_off === null ? percents().format(Number(percent) / 100) : format(amount_off)
  return fill(cardsTexts.off, { amount })
}

export type ShippingPrices = {
  countries: readonly string[]
  price: number
  country_prices: Readonly<Record<string, number>>
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
