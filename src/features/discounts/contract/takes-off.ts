// What a discount code takes off, in words: on the home page, in the admin area and in mails.
import type { Discount } from './discounts.ts'

/** "20% off", "$5.00 off". */
export function takesOff(
  { percent, amount_off }: Pick<Discount, 'percent' | 'amount_off'>,
  formatMoney: (amount: number) => string,
): string {
  return `${percent === null ? formatMoney(amount_off ?? 0) : `${percent}%`} off`
}
