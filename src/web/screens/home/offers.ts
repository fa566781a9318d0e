// What the catalogue's prices say together: the bundle against its parts.
import type { Format, Product } from '#contract/products.ts'

const parts: Format[] = ['digital', 'paperback', 'hardcover']

export type Saving = { fullPrice: number; saved: number }

/** What a bundle's parts cost one by one, each at its lowest price; undefined unless all are for sale and dearer. */
export function bundleSaving(bundle: Product, products: readonly Product[]): Saving | undefined {
  const prices = parts.map((format) =>
    Math.min(...products.filter((product) => product.format === format).map(({ price }) => price)),
  )
  const cents = prices.reduce((sum, price) => sum + Math.round(price * 100), 0)
  const saved = cents - Math.round(bundle.price * 100)
  return Number.isFinite(cents) && saved > 0 ? { fullPrice: cents / 100, saved: saved / 100 } : undefined
}
