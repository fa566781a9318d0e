// Enters a discount code for the page, and drops it.
import { api, responseOf } from '../../api.ts'
import { acceptedDiscount, discountKey } from '../../page/page-state.ts'
import { codeInAddress } from './entered-discount.ts'

/** Throws a ProblemError where the shop does not take it; the one before stays then. */
export async function enterDiscount(code: string): Promise<void> {
  acceptedDiscount.set(await responseOf(api.discounts.check.$post({ json: { code } })))
  sessionStorage.setItem(discountKey, code)
  leaveAddress()
}

/** Drops the code with its line at the top of the page. */
export function dropDiscount(): void {
  forgetDiscount()
  document.documentElement.removeAttribute('data-coded')
}

function forgetDiscount(): void {
  sessionStorage.removeItem(discountKey)
  acceptedDiscount.set(undefined)
}

/** The line at the top stays, and says so. */
export function dropCode(code: string): void {
  const matches = (other: string | null | undefined) =>
    other?.trim().toUpperCase() === code.trim().toUpperCase()
  if (matches(codeInAddress())) leaveAddress()
  if (matches(sessionStorage.getItem(discountKey))) forgetDiscount()
}

/** A reload does not enter it again. Not by the router, which would ask for the products anew. */
function leaveAddress(): void {
  const search = new URLSearchParams(location.search)
  search.delete('code')
  const rest = search.size > 0 ? `?${search.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + rest + location.hash)
}
