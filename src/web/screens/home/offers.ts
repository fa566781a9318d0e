// What the catalogue's prices say together: the bundle against its parts.
import type { Product } from '#contract/products.ts'

export type Saving = { fullPrice: number; saved: number }

/** What a bundle's parts cost one by one; undefined unless all are for sale, and dearer. */
export function bundleSaving({ parts, price }: Product, products: readonly Product[]): Saving | undefined {
  const sold = products.filter(({ id }) => parts.includes(id))
  const cents = sold.reduce((sum, each) => sum + Math.round(each.price * 100), 0)
  const saved = cents - Math.round(price * 100)
  return sold.length === parts.length && saved > 0
    ? { fullPrice: cents / 100, saved: saved / 100 }
    : undefined
}
