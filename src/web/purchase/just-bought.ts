// Remembers a purchase that was just made, until the dashboard has greeted its buyer.
import type { Release } from '#contract/catalog/products.ts'
import { isPreorder } from '#contract/catalog/preorder.ts'
import { hourMs } from '#contract/durations.ts'
import { formatDay } from '#contract/intl.ts'
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { receiptsAreSent } from '../page/page-state.ts'
import { toast } from '../notices/toasts.tsx'

const name = 'just-bought'

type Product = { name: string; is_digital: boolean; release: Release | null }
type Purchased = { id: string; product: Product }
type Keys = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The dashboard greets the buyer afterwards. */
export function announcePurchase({ id, product }: Purchased): void {
  rememberPurchase(id)
  toast({ title: buyingTexts.succeeded, description: boughtWords(product) })
}

function boughtWords({ name: product, is_digital, release }: Product): string {
  const { succeededPreorder, succeededPrinted, succeededDigital, succeededWithoutEmail } = buyingTexts
  if (release && isPreorder({ release }))
    return fill(succeededPreorder, { product, date: formatDay(release.on) })
  if (!is_digital) return fill(succeededPrinted, { product })
  return fill(receiptsAreSent.get() ? succeededDigital : succeededWithoutEmail, { product })
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
