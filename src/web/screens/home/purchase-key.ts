// The Idempotency-Key of each intent to buy, kept until it is answered: clicks, retries and reloads make one purchase.
import type { PostalAddress } from '#contract/postal.ts'

type Intent = { user_id: string; product_id: string }
type Keys = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = ({ user_id, product_id }: Intent) => `purchase:${user_id}:${product_id}`
const addressNameOf = (intent: Intent) => `${nameOf(intent)}:address`

/** Whether a purchase was begun whose answer never came: it may exist. */
export function isUnanswered(intent: Intent, keys: Keys = sessionStorage): boolean {
  return keys.getItem(nameOf(intent)) !== null
}

/** The same key for the same intent, until it is answered. */
export function beginPurchase(intent: Intent, keys: Keys = sessionStorage): string {
  const key = keys.getItem(nameOf(intent)) ?? crypto.randomUUID()
  keys.setItem(nameOf(intent), key)
  return key
}

/** The address goes along with each retry: it is a part of what the key stands for. */
export function keepAddress(intent: Intent, address: PostalAddress, keys: Keys = sessionStorage): void {
  keys.setItem(addressNameOf(intent), JSON.stringify(address))
}

/** What was kept with an intent that is still unanswered. */
export function keptAddress(intent: Intent, keys: Keys = sessionStorage): PostalAddress | undefined {
  const kept = keys.getItem(addressNameOf(intent))
  return kept && isUnanswered(intent, keys) ? (JSON.parse(kept) as PostalAddress) : undefined
}

/** To be called on any answer of the shop that decides: made, or refused. */
export function endPurchase(intent: Intent, keys: Keys = sessionStorage): void {
  keys.removeItem(addressNameOf(intent))
  keys.removeItem(nameOf(intent))
}
