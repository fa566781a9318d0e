// The amounts that do not fit a currency without decimals. It takes over the numbers of the prices, as every other does, so
// those that are not whole have to be changed first.
import { type Cents, fromCents, isPayable, toCents, toDecimal, withoutDecimals } from '#contract/money.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { SettingValues } from '../../config.ts'
import { listFractionalCodes } from '#domains/orders/discounts.ts'
import { listFractionalPrices, priceSampleWhole } from '#domains/catalog/seed.ts'
import { countryName } from '#contract/orders/postal.ts'

type Fitting = Pick<SettingValues, 'shop' | 'shipping'>

/** The prices of shipping that nobody could pay. */
export function findFractions({ shop: { currency }, shipping }: Fitting): [field: string, price: number][] {
  const { price, country_prices } = shipping
  const prices = [
    ['price', price] as const,
    ...Object.entries(country_prices).map(([code, each]) => [`country_prices.${code}`, each] as const),
  ]
  return prices.flatMap(([field, each]) => (isPayable(toCents(each), currency) ? [] : [[field, each]]))
}

/** Makes the sample's prices whole. Returns which other amounts do not fit the currency, and where they are changed. */
export async function fitAmounts(db: Db | Transaction, settings: Fitting): Promise<string | undefined> {
  const { currency } = settings.shop
  if (isPayable(1n, currency)) return undefined
  await priceSampleWhole(db)
  const codes = await listFractionalCodes(db)
  const amounts = [
    ...(await listFractionalPrices(db)).map(
      ({ name, price }) => `${toText(price)} for “${name}”, under Products`,
    ),
    ...codes.map(({ code, amount }) => `${toText(amount)} off with the code ${code}, under Discounts`),
    ...findFractions(settings).map(([field, price]) => {
      const country = field.split('.')[1]
      const to = country ? ` to ${countryName(country)}` : ''
      return `${toText(toCents(price))} for shipping${to}, under Settings, Shipping`
    }),
  ]
  return amounts.length > 0
    ? `${withoutDecimals(currency)} Change these first: ${amounts.join('; ')}.`
    : undefined
}

const toText = (amount: Cents) => toDecimal(fromCents(amount))

/** The start calls it: the environment may have set what a screen would refuse. */
export async function fitCurrency(db: Db, settings: Fitting): Promise<void> {
  const unfit = await fitAmounts(db, settings)
  if (unfit) throw new Error(`The currency does not fit what this shop has saved. ${unfit}`)
}
