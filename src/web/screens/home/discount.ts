// The discount code that this visitor has entered: kept for the tab, so that it is still there after the sign-in.
import { useSyncExternalStore } from 'react'
import type { Discount } from '#features/discounts/contract/discounts.ts'
import type { Product } from '#features/products/contract/products.ts'
import { api, responseOf } from '../../api.ts'

const storageKey = 'discount-code'
const listeners = new Set<() => void>()
let current: Discount | undefined

/** Undefined without one, and while it is being checked. */
export function useDiscount(): Discount | undefined {
  return useSyncExternalStore(subscribe, read, readNone)
}

/** What it takes off of this product; undefined where it is for another one. */
export function discountFor(
  { id }: Pick<Product, 'id'>,
  discount: Discount | undefined,
): Discount | undefined {
  return discount && (discount.product_id === null || discount.product_id === id) ? discount : undefined
}

/** Throws a ProblemError where the shop does not take it; the one before stays then. */
export async function enterDiscount(code: string): Promise<void> {
  set(await responseOf(api.discounts.check.$post({ json: { code } })))
  sessionStorage.setItem(storageKey, code)
}

export function dropDiscount(): void {
  sessionStorage.removeItem(storageKey)
  set(undefined)
}

/** Entered earlier in this tab. */
export function keptCode(): string | null {
  return sessionStorage.getItem(storageKey)
}

function set(discount: Discount | undefined): void {
  current = discount
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const read = () => current
/** The page that the server renders is the same for everybody. */
const readNone = () => undefined
