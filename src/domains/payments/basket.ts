// The basket of a checkout, as the payment provider is asked for it.
import type { Cents } from '#contract/money.ts'
import type { Release } from '#contract/catalog/products.ts'
import type { Format } from '#contract/catalog/formats.ts'
import { stripeCountries } from '#contract/orders/countries.ts'
import { shippingLabel } from '#contract/orders/postal.ts'
import { comingWords } from '#contract/orders/release-words.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { Basket } from '#platform/stripe/payments.ts'
import type { Charge } from '#domains/orders/shipping.ts'
import type { SettingValues } from '../../config.ts'

type SoldProduct = {
  name: string
  format: Format
  price: Cents
  ships: boolean
  release: Release | null
  seller: Seller
}

export function describeBasket(
  { shipping, tax }: Pick<SettingValues, 'shipping' | 'tax'>,
  { name, format, price, ships, release, seller }: SoldProduct,
  { currency, charge }: { currency: string; charge: Charge | null },
): Basket {
  const note = release ? comingWords({ release, ships }) : undefined
  return {
    seller,
    currency,
    product: { name, price, tax_code: tax.tax_codes[format], ships, note },
    // Others may have been chosen before payments were set up.
    countries: charge?.country
      ? [charge.country]
      : shipping.countries.filter((code) => stripeCountries.has(code)),
    shipping: charge && { name: shippingLabel(charge.country), price: charge.amount },
  }
}
