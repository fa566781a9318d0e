// Who sells a file, where it is not the author: said before it is paid.
import { buyingTexts } from '#words/buying.ts'
import type { Product } from '#contract/catalog/products.ts'
import { sellerOf, type Seller } from '#contract/orders/seller.ts'
import { useDigitalSeller } from '../shop.ts'

type SoldProps = { product: Product; price: number; className?: string }

/** `price` is the one with the buyer's code. */
export function useSeller({ product, price }: SoldProps): Seller {
  return sellerOf(useDigitalSeller(), { ...product, price })
}

export function SellerLine({ className = '', ...sold }: SoldProps) {
  return useSeller(sold) === 'stripe' ? (
    <p className={`text-sm text-pretty text-soft ${className}`}>{buyingTexts.soldByLink}</p>
  ) : null
}
