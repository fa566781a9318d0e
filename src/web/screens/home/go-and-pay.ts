// What follows an order, with an account or without.
import { redirect } from 'react-router'
import type { ProblemCode } from '../../../problems.ts'
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

const leavingMs = 5000

export async function goAndPay(url: string): Promise<{ isOwned: boolean }> {
  location.assign(url)
  await new Promise((resolve) => setTimeout(resolve, leavingMs))
  return { isOwned: false }
}

export function toSignIn(product_id: string, code: string | undefined): Response {
  return redirect(`/auth?next=${encodeURIComponent(wantedPath(product_id, code))}`)
}
