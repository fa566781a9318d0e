// The discount code that was entered, and what it takes off a product.
import { isLowered } from '#contract/orders/prices.ts'
import type { Discount } from '#contract/orders/discounts.ts'
import { acceptedDiscount, discountKey } from '../../page/page-state.ts'
import { useStore } from '../../page/use-page.ts'
import type { Product } from '#contract/catalog/products.ts'

export function useDiscount(): Discount | undefined {
  return useStore(acceptedDiscount)
}

export function discountFor(
  product: Pick<Product, 'id' | 'price'>,
  discount: Discount | undefined,
  currency: string,
): Discount | undefined {
  return discount && isLowered(product, discount, currency) ? discount : undefined
}

export const takesCodes = (products: readonly Product[]) =>
  products.some(({ price, is_available_soon }) => price > 0 && !is_available_soon)

export function codesToEnter(): string[] {
  const codes = [codeInAddress() ?? '', sessionStorage.getItem(discountKey) ?? '']
  return [...new Set(codes)].filter((code) => code.trim() !== '')
}

export const codeInAddress = () => new URLSearchParams(location.search).get('code')
