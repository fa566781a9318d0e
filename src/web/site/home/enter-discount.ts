import { api, responseOf } from '../../api.ts'
import { acceptedDiscount } from '../../page-state.ts'
import { codeInAddress, discountKey } from '../price-line.tsx'

/** Throws a ProblemError where the shop does not take it; the one before stays then. */
export async function enterDiscount(code: string): Promise<void> {
  acceptedDiscount.set(await responseOf(api.discounts.check.$post({ json: { code } })))
  sessionStorage.setItem(discountKey, code)
  leaveAddress()
}

export function dropDiscount(): void {
  sessionStorage.removeItem(discountKey)
  document.documentElement.removeAttribute('data-coded')
  acceptedDiscount.set(undefined)
}

export function dropCode(code: string): void {
  const matches = (other: string | null | undefined) =>
    other?.trim().toUpperCase() === code.trim().toUpperCase()
  if (matches(codeInAddress())) leaveAddress()
  if (matches(sessionStorage.getItem(discountKey))) dropDiscount()
}

/** A reload does not enter it again. Not by the router, which would ask for the products anew. */
function leaveAddress(): void {
  const search = new URLSearchParams(location.search)
  search.delete('code')
  const rest = search.size > 0 ? `?${search.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + rest + location.hash)
}
