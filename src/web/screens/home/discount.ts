import { takenOff } from '#features/discounts/contract/discounted-price.ts'
import type { Discount } from '#features/discounts/contract/discounts.ts'
import { acceptedDiscount, useStore } from '../../page-state.ts'
import type { Product } from '#features/products/contract/products.ts'

const storageKey = 'discount-code'

export function useDiscount(): Discount | undefined {
  return useStore(acceptedDiscount)
}

export function discountFor(
  { id, price }: Pick<Product, 'id' | 'price'>,
  discount: Discount | undefined,
): Discount | undefined {
  const isForIt = discount && (discount.product_id === null || discount.product_id === id)
  return isForIt && takenOff(price, discount) > 0 ? discount : undefined
}

/** Throws a ProblemError where the shop does not take it; the one before stays then. */
export async function enterDiscount(code: string): Promise<void> {
  const { api, responseOf } = await import('../../api.ts')
  acceptedDiscount.set(await responseOf(api.discounts.check.$post({ json: { code } })))
  sessionStorage.setItem(storageKey, code)
  leaveAddress()
}

export function dropDiscount(): void {
  sessionStorage.removeItem(storageKey)
  acceptedDiscount.set(undefined)
}

export function dropCode(code: string): void {
  const matches = (other: string | null | undefined) =>
    other?.trim().toUpperCase() === code.trim().toUpperCase()
  if (matches(codeInAddress())) leaveAddress()
  if (matches(sessionStorage.getItem(storageKey))) dropDiscount()
}

export function codesToEnter(): string[] {
  const codes = [codeInAddress() ?? '', sessionStorage.getItem(storageKey) ?? '']
  return [...new Set(codes)].filter((code) => code.trim() !== '')
}

const codeInAddress = () => new URLSearchParams(location.search).get('code')

/** A reload does not enter it again. Not by the router, which would ask for the products anew. */
function leaveAddress(): void {
  const search = new URLSearchParams(location.search)
  search.delete('code')
  const rest = search.size > 0 ? `?${search.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + rest + location.hash)
}
