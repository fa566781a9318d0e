// The prices, savings and labels of products, as cards and buttons show them.
import { isPreorder } from '#contract/catalog/preorder.ts'
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import { fill, forCount } from '#words/texts.ts'
import { addCents, fromCents, toCents } from '#contract/money.ts'
import {
  isFree,
  type Saving,
  type ShippingRange,
  isOnePrice,
  type TaxInPrices,
} from '#contract/orders/prices.ts'
import type { Product, FileFormat } from '#contract/catalog/products.ts'
import type { Format } from '#contract/catalog/formats.ts'
import { countryName } from '#contract/orders/postal.ts'
import type { Parcels } from '#pages/render.ts'
import { byLocale } from '#contract/intl.ts'

/** Returns what a bundle's parts cost one by one now; undefined unless each is for sale, and all of them are dearer. */
export function bundleSaving({ parts, price }: Product, products: readonly Product[]): Saving | undefined {
  const offered = products.filter((each) => parts.includes(each.id) && isOffered(each))
  const fullPrice = addCents(offered.map((each) => toCents(each.price)))
  const saved = fullPrice - toCents(price)
  if (offered.length < parts.length || saved <= 0n) return undefined
  return { fullPrice: fromCents(fullPrice), saved: fromCents(saved) }
}

/**
 * Returns the greater of both: on the prices of a bundle's parts, or on what the product itself cost before. A part counts
 * with what may be struck out beside it, else with the code as well: the sum of such prices never stood on the page, so a
 * former price of the product goes before it, and it is not struck out.
 */
export function savingWithCode(
  product: Product,
  products: readonly Product[],
  offerOf: (each: Product) => { price: number; saving: Saving | undefined },
): Saving | undefined {
  const { price, saving } = offerOf(product)
  const before = products.map((each) => {
    const offer = offerOf(each)
    return { ...each, price: offer.saving?.fullPrice ?? offer.price }
  })
  const onParts = bundleSaving({ ...product, price }, before)
  if (!onParts) return saving
  const isLowered = products.some(
    (each) => product.parts.includes(each.id) && !offerOf(each).saving && offerOf(each).price < each.price,
  )
  if (isLowered) return saving ?? { saved: onParts.saved }
  return onParts.saved > (saving?.saved ?? 0) ? onParts : saving
}

/** It can be bought, and some of it is out. */
export const isAtOnce = (product: Product) => isOffered(product) && !isPreorder(product)

export function truths(products: readonly Product[], shipping: ShippingRange) {
  const digital = products.filter((product) => product.is_digital && !isPreorder(product))
  const atOnce = digital.filter(isAtOnce)
  const arePdf = atOnce.every(({ file_formats }) => file_formats.includes('pdf'))
  return {
    refund: products.some(({ price }) => price > 0),
    ships: isFree(shipping) && products.some(({ ships }) => ships),
    pdf: atOnce.length > 0 && arePdf,
    no_pdf: !arePdf,
    digital: digital.length > 0,
    bonus: products.some(({ bonuses }) => bonuses.length > 0),
  }
}

const fileOrder: FileFormat[] = ['pdf', 'epub', 'mobi']

export function cardLines(product: Product): string[] {
  const { holds, is_digital, file_formats, bonuses, contents, release } = product
  const files = fileOrder
    .filter((format) => file_formats.includes(format))
    .map((format) => cardsTexts[format])
  const lines = [
    formatFormats(holds),
    is_digital && !release && isOffered(product) ? cardsTexts.instantDownload : '',
    list().format(files),
    ...contents,
    ...bonuses.map((title) => fill(cardsTexts.bonus, { title })),
  ]
  return [...new Set(lines.filter(Boolean))]
}

const maxNamedCountries = 3

/** What is true of every book on paper. */
export function postLines({ sender, countries }: Parcels): string[] {
  const count = countries.length
  const names = list().format(countries.map(countryName))
  return [
    sender ? fill(cardsTexts.printedCopy, { sender }) : cardsTexts.printed,
    count > maxNamedCountries
      ? fill(forCount(cardsTexts.sentToMany, count), { count })
      : fill(cardsTexts.sentTo, { countries: names }),
  ]
}

/** Stands beside a price; undefined where nothing is said of tax. */
export function taxLine(in_prices: TaxInPrices | undefined): string | undefined {
  if (in_prices === 'included') return cardsTexts.taxIncluded
  return in_prices === 'added' ? cardsTexts.taxAdded : undefined
}

/** “$4.90 (incl. VAT)” */
export function withTax(price: string, in_prices: TaxInPrices | undefined): string {
  const tax = taxLine(in_prices)
  return tax ? fill(cardsTexts.withTax, { price, tax }) : price
}

export function shippingLine(
  range: ShippingRange,
  format: (amount: number) => string,
  in_prices?: TaxInPrices,
): string {
  return isFree(range) ? cardsTexts.shipsFree : withTax(shippingPriceLine(range, format), in_prices)
}

function shippingPriceLine(range: ShippingRange, format: (amount: number) => string): string {
  const { min, max } = range
  if (isOnePrice(range)) return fill(cardsTexts.shipping, { price: format(max) })
  if (min === 0) return fill(cardsTexts.shippingUpTo, { price: format(max) })
  return fill(cardsTexts.shippingFrom, { price: format(min) })
}

export function buyLabels(
  products: readonly Product[],
  formatMoney: (amount: number) => string,
): Map<string, string> {
  const choices = products.map(({ name, format, price }) => {
    const kind = formatsTexts.names[format]
    return [kind, name, `${name} (${kind})`, `${name} (${kind}, ${formatMoney(price)})`]
  })
  const uses = new Map<string, number>()
  for (const label of choices.flatMap((own) => [...new Set(own)])) uses.set(label, (uses.get(label) ?? 0) + 1)
  const labelOf = (own: string[], at: number) =>
    own.find((label) => uses.get(label) === 1) ?? `${own.at(-1)}, ${at + 1}`
  return new Map(
    products.map((each, at) => {
      const product = labelOf(choices[at] ?? [], at)
      const [ofFormat, ofName] = buyWords(each)
      const isKind = product === formatsTexts.names[each.format]
      return [each.id, isKind ? ofFormat[each.format] : fill(ofName, { product })]
    }),
  )
}

function buyWords(product: Product): [ofFormat: Record<Format, string>, ofName: string] {
  if (isPreorder(product)) return [formatsTexts.preorder, cardsTexts.preorderOf]
  return product.price === 0 ? [formatsTexts.get, cardsTexts.get] : [formatsTexts.buy, cardsTexts.buy]
}

/** The label of a button beside which no other product is offered; `price` is the one with a code. */
export function priceLabel(
  product: Pick<Product, 'release'>,
  price: number,
  formatShort: (amount: number) => string,
): string {
  const [forPrice, free] = isPreorder(product)
    ? [cardsTexts.preorderFor, cardsTexts.preorderFree]
    : [cardsTexts.buyFor, cardsTexts.getFree]
  return price === 0 ? free : fill(forPrice, { price: shortPrice(price, formatShort) })
}

export function isOffered({ is_sold_out, is_available_soon }: Product): boolean {
  return !is_sold_out && !is_available_soon
}

/** The only product of a shop, while it is for sale. */
export function onlyOffer([first, ...others]: readonly Product[]): Product | undefined {
  return first && others.length === 0 && isOffered(first) ? first : undefined
}

function shortPrice(price: number, formatShort: (amount: number) => string): string {
  return price === 0 ? cardsTexts.free : formatShort(price)
}

export function priceFrom(prices: readonly number[], formatShort: (amount: number) => string): string {
  const least = Math.min(...prices)
  const price = shortPrice(least, formatShort)
  return least === 0 || prices.every((each) => each === least) ? price : fill(cardsTexts.from, { price })
}

/** British, in English: American has a comma before the last. */
const list = byLocale((locale) => new Intl.ListFormat(locale.replace('en-US', 'en-GB')))

export function formatFormats(formats: readonly Format[]): string {
  const { names, within } = formatsTexts
  return list().format(formats.map((each, index) => (index === 0 ? names : within)[each]))
}
