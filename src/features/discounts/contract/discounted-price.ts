import { percentOf, type Cents } from '#platform/contract/money.ts'

/** One of the two is null. */
type Terms<Amount> = { percent: number | null; amount_off: Amount | null }

export function takenOff(price: Cents, { percent, amount_off }: Terms<Cents>, currency: string): Cents {
  const off = percent === null ? (amount_off ?? 0n) : percentOf(price, percent, currency)
  return off < price ? off : price
}

export function takesOff<Amount>(
  { percent, amount_off }: Terms<Amount>,
  format: (amount: Amount) => string,
): string {
  return `${amount_off === null ? `${percent}%` : format(amount_off)} off`
}
