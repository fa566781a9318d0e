import { percentOf, subtractMoney } from '#platform/contract/money.ts'
import type { Discount } from './discounts.ts'

type Terms = Pick<Discount, 'percent' | 'amount_off'>

export function takenOff(price: number, { percent, amount_off }: Terms): number {
  return percent === null ? Math.min(price, amount_off ?? 0) : percentOf(price, percent)
}

export function discountedPrice(price: number, terms: Terms): number {
  return subtractMoney(price, takenOff(price, terms))
}

export function takesOff(
  { percent, amount_off }: Pick<Discount, 'percent' | 'amount_off'>,
  formatMoney: (amount: number) => string,
): string {
  return `${percent === null ? formatMoney(amount_off ?? 0) : `${percent}%`} off`
}
