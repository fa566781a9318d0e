// What a discount code does, in words.
import type { AdminDiscount } from '#features/discounts/contract/discounts.ts'

export function takesOff(
  { percent, amount_off }: Pick<AdminDiscount, 'percent' | 'amount_off'>,
  formatMoney: (amount: number) => string,
): string {
  return percent === null ? `${formatMoney(amount_off ?? 0)} off` : `${percent}% off`
}

/** What it is limited to, to follow other words. */
export function discountTerms({
  product_name,
  ends_on,
}: Pick<AdminDiscount, 'product_name' | 'ends_on'>): string {
  const product = product_name ? ` · only ${product_name}` : ''
  return product + (ends_on ? ` · until ${ends_on}` : '')
}
