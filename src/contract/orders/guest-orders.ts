// The request of an order with an address only, from its dialog or the form of its page, and the cases in which an account
// comes first. It has no zod, which no page of the site loads.
import type { ProblemCode } from '../refusals.ts'
import type { GuestPurchaseRequest } from './guest-purchases.ts'
import type { Seller } from './seller.ts'

type GuestOrder = Pick<GuestPurchaseRequest, 'product_id' | 'email' | 'proof'> & {
  code: string | undefined
  country: string | undefined
  consent: string | undefined
  letters: string | undefined
  seller: Seller
  /** 0 where nothing is shipped. */
  shipping: number
}

/** Nothing that is empty. */
export function guestOrder({
  product_id,
  email,
  proof,
  code,
  country,
  consent,
  letters,
  seller,
  shipping,
}: GuestOrder): GuestPurchaseRequest {
  return {
    product_id,
    email,
    proof,
    ...(code && { code }),
    ...(country && { country }),
    ...(consent && { consent }),
    ...(letters && { letters }),
    ...(seller === 'stripe' && { seller }),
    ...(shipping > 0 && { shipping }),
  }
}

const accountFirst: readonly string[] = [
  'guest_checkout.nothing_to_pay',
  'guest_checkout.not_offered',
] satisfies ProblemCode[]

export const isAccountFirst = (code: string) => accountFirst.includes(code)
