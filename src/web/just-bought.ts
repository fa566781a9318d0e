// The purchase that was made in this tab a moment ago: the dashboard greets with it, over a reload too.

const name = 'just-bought'
const hourMs = 3_600_000

type Keys = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function rememberPurchase(id: string, keys: Keys = sessionStorage): void {
  keys.setItem(name, `${id} ${Date.now()}`)
}

/** Its id, for an hour at most. */
export function justBought(keys: Keys = sessionStorage): string | undefined {
  const [id, at] = keys.getItem(name)?.split(' ') ?? []
  return id && Date.now() - Number(at) < hourMs ? id : undefined
}

export function forgetPurchase(keys: Keys = sessionStorage): void {
  keys.removeItem(name)
}

/** True the first time that it is asked for this purchase: a question that was put off is not put again by a reload. */
export function isFirstLook(id: string, keys: Keys = sessionStorage): boolean {
  const key = `${name}:seen`
  const isFirst = keys.getItem(key) !== id
  keys.setItem(key, id)
  return isFirst
}
