import { z } from 'zod'
import type { Product } from './products.ts'

/** Without the payment provider's key, `sample` completes purchases at once, `free` at 0; the last two sell nothing. */
export const saleMode = z.enum(['paid', 'sample', 'free', 'not_for_sale', 'key_missing'])
export type SaleMode = z.infer<typeof saleMode>

/** The author's choice for an own book while there is no key of the payment provider, and never was one. */
export const withoutKey = z.enum(['not_for_sale', 'free'])

export function isSelling(mode: SaleMode): boolean {
  return mode !== 'not_for_sale' && mode !== 'key_missing'
}

export function asListed(product: Product, mode: SaleMode): Product {
  if (mode === 'free') return { ...product, price: 0 }
  return isSelling(mode) ? product : { ...product, is_available_soon: true }
}
