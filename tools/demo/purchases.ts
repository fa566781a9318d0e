// Made-up purchases, oldest first: few users buy much, more is bought at weekends and towards today, one in fifty comes back.
import { chanceOf, idOf } from './random.ts'
import type { Readers } from './readers.ts'

const dayMs = 86_400_000
const kind = { moment: 20, user: 21, product: 22, fate: 23, id: 30 }
const shares: Record<string, number> = { digital: 5, paperback: 3 }

export type Product = { id: string; price: number; format: string }
export type MadePurchase = {
  id: string
  user_id: string
  product: Product
  refunded: number
  status: 'completed' | 'partially_refunded' | 'refunded'
  created_at: string
}

/** As many as `count`, within the time in which the users joined. */
export function* makePurchases(
  seed: number,
  {
    count,
    before,
    readers,
    products,
  }: { count: number; before: number; readers: Readers; products: Product[] },
): Generator<MadePurchase> {
  const upto = upperEnds(products)
  let n = 0
  for (const { from, length, purchases } of daysOf(readers.span, count)) {
    for (let nth = 0; nth < purchases; nth++) {
      n += 1
      const chance = (what: number) => chanceOf(seed, n + before, what)
      const ms = from + (length * (nth + chance(kind.moment))) / purchases
      const user = 1 + Math.floor(chance(kind.user) ** 1.4 * readers.joinedBy(ms))
      const which = chance(kind.product)
      const product = products[upto.findIndex((end) => which < end)]!
      yield {
        id: idOf(seed, n + before, kind.id, ms),
        user_id: readers.id(user),
        product,
        created_at: new Date(ms).toISOString(),
        ...fate(chance(kind.fate), product.price),
      }
    }
  }
}

function fate(chance: number, price: number): Pick<MadePurchase, 'status' | 'refunded'> {
  if (chance < 0.015) return { status: 'refunded', refunded: price }
  if (chance < 0.02) return { status: 'partially_refunded', refunded: Math.round((price * 100) / 3) / 100 }
  return { status: 'completed', refunded: 0 }
}

function upperEnds(products: Product[]): number[] {
  const parts = products.map(({ format }) => shares[format] ?? 1)
  const all = parts.reduce((sum, part) => sum + part, 0)
  let sum = 0
  return parts.map((part) => (sum += part) / all)
}

type Day = { from: number; length: number; purchases: number }

function* daysOf({ from, to }: Readers['span'], count: number): Generator<Day> {
  const days = Math.max(1, Math.ceil((to - from) / dayMs))
  const length = (to - from) / days
  const weights = Array.from({ length: days }, (_, day) => {
    const weekday = new Date(from + day * length).getUTCDay()
    return (day + 0.5) * (weekday % 6 === 0 ? 1.6 : 1)
  })
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let [weighed, made] = [0, 0]
  for (const [day, weight] of weights.entries()) {
    weighed += weight
    const purchases = Math.round((count * weighed) / all) - made
    made += purchases
    yield { from: from + day * length, length, purchases }
  }
}
