import type { AdminDiscount } from '#features/discounts/contract/discounts.ts'

export function discountTerms({
  product_name,
  ends_on,
}: Pick<AdminDiscount, 'product_name' | 'ends_on'>): string {
  const product = product_name ? ` · only ${product_name}` : ''
  return product + (ends_on ? ` · until ${ends_on}` : '')
}
