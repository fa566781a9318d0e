const name = 'just-bought'
const hourMs = 3_600_000

type Keys = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function rememberPurchase(id: string, keys: Keys = sessionStorage): void {
  keys.setItem(name, `${id} ${Date.now()}`)
}

/** Expires after an hour. */
export function justBought(keys: Keys = sessionStorage): string | undefined {
  const [id, at] = keys.getItem(name)?.split(' ') ?? []
  return id && Date.now() - Number(at) < hourMs ? id : undefined
}

export function forgetPurchase(keys: Keys = sessionStorage): void {
  keys.removeItem(name)
}

export function isFirstLook(id: string, keys: Keys = sessionStorage): boolean {
  const key = `${name}:seen`
  const isFirst = keys.getItem(key) !== id
  keys.setItem(key, id)
  return isFirst
}
