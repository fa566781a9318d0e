import { takenOff } from '#contract/orders/prices.ts'
import type { Discount } from '#contract/orders/discounts.ts'
import { acceptedDiscount, useStore } from './page-state.ts'
import { fromCents, toCents } from '#contract/money.ts'
import type { Product } from '#contract/catalog/products.ts'

export const discountKey = 'discount-code'

export function useDiscount(): Discount | undefined {
  return useStore(acceptedDiscount)
}

export function discountFor(
  { id, price }: Pick<Product, 'id' | 'price'>,
  discount: Discount | undefined,
  currency: string,
): Discount | undefined {
  const isForIt = discount && (discount.product_id === null || discount.product_id === id)
  return isForIt && lowerPrice(price, discount, currency).saved > 0 ? discount : undefined
}

export function lowerPrice(fullPrice: number, { percent, amount_off }: Discount, currency: string) {
  const full = toCents(fullPrice)
  const terms = { percent, amount_off: amount_off === null ? null : toCents(amount_off) }
  const saved = takenOff(full, terms, currency)
  return { price: fromCents(full - saved), fullPrice, saved: fromCents(saved) }
}

export function codesToEnter(): string[] {
  const codes = [codeInAddress() ?? '', sessionStorage.getItem(discountKey) ?? '']
  return [...new Set(codes)].filter((code) => code.trim() !== '')
}

export const codeInAddress = () => new URLSearchParams(location.search).get('code')
