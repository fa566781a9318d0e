// Remembers a purchase that was just made, until the dashboard has greeted its buyer.
import { hourMs } from '#contract/durations.ts'
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { receiptsAreSent } from '../page/page-state.ts'
import { toast } from '../notices/toasts.tsx'

const name = 'just-bought'

type Purchased = { id: string; product: { name: string; is_digital: boolean } }
type Keys = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The dashboard greets the buyer afterwards. */
export function announcePurchase({ id, product }: Purchased): void {
  rememberPurchase(id)
  const { succeeded, succeededPrinted, succeededDigital, succeededWithoutEmail } = buyingTexts
  const digital = receiptsAreSent.get() ? succeededDigital : succeededWithoutEmail
  const text = product.is_digital ? digital : succeededPrinted
  toast({ title: succeeded, description: fill(text, { product: product.name }) })
}

export function rememberPurchase(id: string, keys: Keys = sessionStorage): void {
  keys.setItem(name, `${id} ${Date.now()}`)
}

/** Expires after an hour. */
export function justBought(keys: Keys = sessionStorage): string | undefined {
  const [id, at] = keys.getItem(name)?.split(' ') ?? []
  return id && Date.now() - Number(at) < hourMs ? id : undefined
}

export function clearPurchase(keys: Keys = sessionStorage): void {
  keys.removeItem(name)
}

export function isFirstLook(id: string, keys: Keys = sessionStorage): boolean {
  const key = `${name}:seen`
  const isFirst = keys.getItem(key) !== id
  keys.setItem(key, id)
  return isFirst
}
