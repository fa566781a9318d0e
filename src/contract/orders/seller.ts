// Who sells a file: the author, or Stripe in the name of Link. It has no zod: public pages carry this.
import type { Format } from '../catalog/formats.ts'
import type { Release, SaleMode } from '../catalog/products.ts'

/** `stripe`: by Managed Payments, where Link sells, owes the tax and refunds (docs/decisions/0058). */
export const sellers = ['author', 'stripe'] as const
export type Seller = (typeof sellers)[number]

type Sold = { format: Format; price: number; release?: Release | null | undefined }

/** Link sells what can be downloaded at once. Paper, bundles, pre-orders and what costs nothing stay the author's. */
export function sellerOf(digital_seller: Seller, { format, price, release }: Sold): Seller {
  const isFile = format === 'digital' && !release && price > 0
  return isFile ? digital_seller : 'author'
}

/** Nobody but the author gives anything where no money is taken. */
export function digitalSeller(tax: { digital_seller: Seller }, mode: SaleMode): Seller {
  return mode === 'paid' ? tax.digital_seller : 'author'
}
