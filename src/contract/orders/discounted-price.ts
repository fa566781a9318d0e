import { byLocale } from '../by-locale.ts'
import { percentOf, type Cents } from '../money.ts'
import { cardsTexts } from '#words/cards.ts'
import { fill } from '#words/fill.ts'

/** One of the two is null. */
type Terms<Amount> = { percent: number | null; amount_off: Amount | null }

export function takenOff(price: Cents, { percent, amount_off }: Terms<Cents>, currency: string): Cents {
  const off = percent === null ? (amount_off ?? 0n) : percentOf(price, percent, currency)
  return off < price ? off : price
}

const percents = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }))

/** “20% off” */
export function takesOff<Amount>(
  { percent, amount_off }: Terms<Amount>,
  format: (amount: Amount) => string,
): string {
  const amount = amount_off === null ? percents().format(Number(percent) / 100) : format(amount_off)
  return fill(cardsTexts.off, { amount })
}
