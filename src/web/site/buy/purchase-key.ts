// The Idempotency-Key of an intent to buy, stored until a response decides: clicks, retries and reloads make one
// purchase.
import { randomId } from '../random-id.ts'
import type { PostalAddress } from '#contract/orders/postal.ts'
import { addressOf } from '../../forms/address-form.ts'
import { parseObject, textIn } from '../../page/page-state.ts'
import type { ProblemCode } from '#contract/refusals.ts'

export type Intent = { user_id: string; product_id: string; code?: string | undefined }
type Keys = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = ({ user_id, product_id, code }: Intent) =>
  `purchase:${user_id}:${product_id}${code ? `:${code}` : ''}`
const destinationNameOf = (intent: Intent) => `${nameOf(intent)}:destination`
const addressNameOf = (intent: Intent) => `${nameOf(intent)}:address`

export function isUnanswered(intent: Intent, keys: Keys = sessionStorage): boolean {
  return keys.getItem(nameOf(intent)) !== null
}

export function beginPurchase(intent: Intent, keys: Keys = sessionStorage): string {
  const key = keys.getItem(nameOf(intent)) ?? randomId()
  keys.setItem(nameOf(intent), key)
  return key
}

/** The address goes along with each retry: it is a part of what the key stands for. */
export function saveAddress(intent: Intent, address: PostalAddress, keys: Keys = sessionStorage): void {
  keys.setItem(addressNameOf(intent), JSON.stringify(address))
}

export function storedAddress(intent: Intent, keys: Keys = sessionStorage): PostalAddress | undefined {
  const stored = keys.getItem(addressNameOf(intent))
  if (!stored || !isUnanswered(intent, keys)) return undefined
  const fields = parseObject(stored)
  return addressOf((name) => textIn(fields, name) ?? '')
}

export type Destination = { country?: string | undefined; shipping: number }

/** It goes along with each retry, as the address does: nobody is asked for another country before a response decides. */
export function saveDestination(intent: Intent, destination: Destination, keys: Keys = sessionStorage): void {
  keys.setItem(destinationNameOf(intent), JSON.stringify(destination))
}

export function storedDestination(intent: Intent, keys: Keys = sessionStorage): Destination | undefined {
  const stored = keys.getItem(destinationNameOf(intent))
  if (!stored || !isUnanswered(intent, keys)) return undefined
  const fields = parseObject(stored)
  return { country: textIn(fields, 'country'), shipping: Number(fields['shipping']) }
}

export function clearPlace(intent: Intent, keys: Keys = sessionStorage): void {
  keys.removeItem(addressNameOf(intent))
  keys.removeItem(destinationNameOf(intent))
}

/** Any other refusal may come while an earlier request with the same key is still being carried out. */
const deciding: readonly string[] = [
  'discounts.not_valid',
  'discounts.other_product',
  'discounts.too_small',
  'discounts.used_up',
  'products.not_found',
  'purchases.address_needed',
  'purchases.checkout_ended',
  'purchases.consent_needed',
  'purchases.seller_changed',
  'purchases.key_reused',
  'payments.refused',
  'shipments.country_needed',
  'shipments.country_not_served',
  'shipments.price_changed',
  'stock.sold_out',
] satisfies ProblemCode[]

/**
 * Most refusals say only that this request failed (too many, signed out, a proxy), not what became of an earlier one
 * whose response was lost: the next try must use the same key.
 */
export function endIfDecided(intent: Intent, code: string, keys: Keys = sessionStorage): void {
  if (deciding.includes(code)) endPurchase(intent, keys)
}

export function endPurchase(intent: Intent, keys: Keys = sessionStorage): void {
  clearPlace(intent, keys)
  keys.removeItem(nameOf(intent))
}
