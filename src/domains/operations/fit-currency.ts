// A currency without decimals takes over the numbers of the prices, as every other does, and rounds them. Prices of
// shipping are settings: they have to be changed first.
import type { FieldProblems } from '#contract/field-problems.ts'
import { isPayable, toCents, withoutDecimals } from '#contract/money.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { SettingValues } from '../../config.ts'
import { roundAmounts } from '#domains/orders/round-amounts.ts'
import { roundPrices } from '#domains/catalog/round-prices.ts'

type Fitting = Pick<SettingValues, 'shop' | 'shipping'>

/** The prices of shipping that nobody could pay. */
export function findFractions({ shop: { currency }, shipping }: Fitting): FieldProblems | undefined {
  const { price, country_prices } = shipping
  const prices = [
    ['price', price] as const,
    ...Object.entries(country_prices).map(([code, each]) => [`country_prices.${code}`, each] as const),
  ]
  const wrong = prices.filter(([, each]) => !isPayable(toCents(each), currency))
  if (wrong.length === 0) return undefined
  return Object.fromEntries(wrong.map(([field]) => [field, withoutDecimals(currency)]))
}

export async function roundForCurrency(db: Db | Transaction, currency: string): Promise<void> {
  if (isPayable(1n, currency)) return
  await roundPrices(db)
  await roundAmounts(db)
}

/** At the start: the environment may have set what a screen would refuse. */
export async function fitCurrency(db: Db, settings: Fitting): Promise<void> {
  const [problem] = Object.values(findFractions(settings) ?? {})
  if (problem) throw new Error(`The prices of shipping (SHIPPING_PRICES) do not fit the currency. ${problem}`)
  await roundForCurrency(db, settings.shop.currency)
}
