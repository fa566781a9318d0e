import { addMoney, subtractMoney } from '#platform/contract/money.ts'
import { isFree, type ShippingRange } from '#features/shipping/contract/shipping-price.ts'
import type { Product } from '#features/products/contract/products.ts'

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
