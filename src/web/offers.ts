import { addMoney, subtractMoney } from '#platform/contract/money.ts'
import { isFree, type ShippingRange, isOnePrice } from '#features/shipping/contract/shipping-price.ts'
import type { Product, Format } from '#features/products/contract/products.ts'
import type { FileFormat } from '#features/products/contract/file-formats.ts'
import { formatNames } from '#features/products/contract/format-names.ts'
import { lazy } from '#platform/contract/lazy.ts'

export type Saving = { fullPrice: number; saved: number }

/** What a bundle's parts cost one by one; undefined unless all are for sale, and dearer. */
export function bundleSaving({ parts, price }: Product, products: readonly Product[]): Saving | undefined {
  const offered = products.filter(({ id }) => parts.includes(id))
  const fullPrice = addMoney(offered.map((each) => each.price))
  const saved = subtractMoney(fullPrice, price)
  return offered.length === parts.length && saved > 0 ? { fullPrice, saved } : undefined
}

export function truths(products: readonly Product[], shipping: ShippingRange) {
  const digital = products.filter(({ is_digital }) => is_digital)
  const arePdf = digital.every(({ file_formats }) => file_formats.includes('pdf'))
  const isDigital = digital.length > 0
  return {
    refund: products.some(({ price }) => price > 0),
    ships: isFree(shipping) && products.some(({ ships }) => ships),
    pdf: isDigital && arePdf,
    no_pdf: isDigital && !arePdf,
    digital: isDigital,
    bonus: products.some(({ bonuses }) => bonuses.length > 0),
  }
}

const fileWords: [FileFormat, string][] = [
  ['pdf', 'PDF'],
  ['epub', 'EPUB for your reading device'],
  ['mobi', 'MOBI for older Kindles'],
]

export function cardLines(product: Product): string[] {
  const { holds, is_digital, file_formats, bonuses, contents } = product
  const files = fileWords.filter(([format]) => file_formats.includes(format)).map(([, words]) => words)
  const lines = [
    formatFormats(holds),
    is_digital ? 'Instant download' : '',
    files.join(', and '),
    ...contents,
    ...bonuses.map((title) => `Exclusive bonus: ${title}`),
  ]
  return [...new Set(lines.filter(Boolean))]
}

export function shippingLine(range: ShippingRange, format: (amount: number) => string): string {
  const { min, max } = range
  if (isFree(range)) return 'Ships free to your door'
  if (isOnePrice(range)) return `Plus ${format(max)} shipping`
  if (min === 0) return `Shipping free or up to ${format(max)}, by country`
  return `Plus shipping from ${format(min)}`
}

export function buyLabels(
  products: readonly Product[],
  formatMoney: (amount: number) => string,
): Map<string, string> {
  const choices = products.map(({ name, format, price }) => {
    const kind = formatNames[format]
    return [kind, name, `${name} (${kind})`, `${name} (${kind}, ${formatMoney(price)})`]
  })
  const uses = new Map<string, number>()
  for (const label of choices.flatMap((own) => [...new Set(own)])) uses.set(label, (uses.get(label) ?? 0) + 1)
  const labelOf = (own: string[], at: number) =>
    own.find((label) => uses.get(label) === 1) ?? `${own.at(-1)}, ${at + 1}`
  return new Map(
    products.map(({ id, price }, at) => [
      id,
      `${price === 0 ? 'Get' : 'Buy'} ${labelOf(choices[at] ?? [], at)}`,
    ]),
  )
}

const list = lazy(() => new Intl.ListFormat('en-GB'))

export function formatFormats(formats: readonly Format[]): string {
  const names = formats.map((each) => formatNames[each])
  return list().format(names.map((name, index) => (index === 0 ? name : name.toLowerCase())))
}
