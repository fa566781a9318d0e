// What follows an order, with an account or without.
import { redirect } from 'react-router'
import type { ProblemCode } from '#contract/refusals.ts'
import { wantedPath } from '../../wanted-product.ts'

/** After these the cards show the price without the code. */
export const endedCodes: readonly string[] = [
  'discounts.not_valid',
  'discounts.used_up',
] satisfies ProblemCode[]

export const endedSales: readonly string[] = [
  'stock.sold_out',
  'purchases.not_for_sale',
] satisfies ProblemCode[]

export function toSignIn(product_id: string, code: string | undefined): Response {
  return redirect(`/auth?next=${encodeURIComponent(wantedPath(product_id, code))}`)
}
