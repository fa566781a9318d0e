// The Idempotency-Key of each intent to buy, kept until it is answered: clicks, retries and reloads make one purchase.

type Intent = { user_id: string; product_id: string }
type Keys = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = ({ user_id, product_id }: Intent) => `purchase:${user_id}:${product_id}`

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

/** To be called on any answer of the shop that decides: made, or refused. */
export function endPurchase(intent: Intent, keys: Keys = sessionStorage): void {
  keys.removeItem(nameOf(intent))
}
