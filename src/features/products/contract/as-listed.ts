// A product as visitors see it while the shop sells in this way.
import { isSelling, type SaleMode } from './sale-mode.ts'
import type { Product } from './products.ts'

export function asListed(product: Product, mode: SaleMode): Product {
  if (mode === 'free') return { ...product, price: 0 }
  return isSelling(mode) ? product : { ...product, is_available_soon: true }
}
