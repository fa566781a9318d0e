// What a discount code is limited to, in words.
import type { AdminDiscount } from '#features/discounts/contract/discounts.ts'

/** What it is limited to, to follow other words. */
export function discountTerms({
  product_name,
  ends_on,
}: Pick<AdminDiscount, 'product_name' | 'ends_on'>): string {
  const product = product_name ? ` · only ${product_name}` : ''
  return product + (ends_on ? ` · until ${ends_on}` : '')
}
