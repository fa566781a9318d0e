// Trials of whether Stripe opens a checkout: of each format that is for sale, and of a file that Link sells.
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Format } from '#contract/catalog/formats.ts'
import { fromCents, toCents } from '#contract/money.ts'
import { sellerOf } from '#contract/orders/seller.ts'
import { stripeCountries } from '#contract/orders/countries.ts'
import { shippingPrice } from '#contract/orders/prices.ts'
import type { Db } from '#platform/db/client.ts'
import { tryCheckout } from '#platform/stripe/account.ts'
import { trialSessionOf } from '#platform/stripe/objects.ts'
import type { PaymentSettings } from '#platform/stripe/payments.ts'
import { products } from '#tables/catalog.ts'
import { isOnSale, pendingRelease, ships } from '#domains/catalog/product-sql.ts'
import type { Charge } from '#domains/orders/shipping.ts'
import type { SettingValues } from '../../config.ts'
import { describeBasket } from './basket.ts'

type Trial = { name: string; refused?: string }

/** One after the other, each ended before the next. */
export async function tryCheckouts(
  db: Db,
  key: Pick<PaymentSettings, 'secretKey' | 'apiBase'>,
  settings: SettingValues,
): Promise<Trial[]> {
  const { shop, tax } = settings
  const trials: Trial[] = []
  for (const product of await listOnePerFormat(db)) {
    const charge = product.ships ? findTrialCharge(settings) : null
    const price = fromCents(product.price)
    const seller = sellerOf(tax.digital_seller, { ...product, price })
    const basket = describeBasket(settings, { ...product, seller }, { currency: shop.currency, charge })
    const params = trialSessionOf(basket, tax, shop.site_url)
    trials.push({ name: product.name, ...(await tryCheckout(key, params)) })
  }
  return trials
}

/** Enough for Stripe in each currency. */
const trialPrice = toCents(25_000)

/** Asked for whatever is on sale: the file may be a pre-order today, or come later. */
export async function tryLink(
  db: Db,
  key: Pick<PaymentSettings, 'secretKey' | 'apiBase'>,
  settings: SettingValues,
): Promise<string | undefined> {
  const { shop, tax } = settings
  const [product] = await listOnePerFormat(db, 'digital')
  const { name, price } = product ?? { name: 'a file', price: trialPrice }
  const file = { name, price, format: 'digital', ships: false, release: null, seller: 'stripe' } as const
  const basket = describeBasket(settings, file, { currency: shop.currency, charge: null })
  const { refused } = await tryCheckout(key, trialSessionOf(basket, tax, shop.site_url))
  if (refused === undefined) return undefined
  return `Stripe opens no payment page of ${name} on which Link sells. It says: ${refused}`
}

function listOnePerFormat(db: Db, only?: Format) {
  const { name, format, price } = products
  return db
    .selectDistinctOn([format], { name, format, price, ships, release: pendingRelease })
    .from(products)
    .where(and(isOnSale, gt(price, 0n), only && eq(format, only)))
    .orderBy(format, sql`${pendingRelease} is not null`, asc(price))
}

/** Its country is the first that Stripe takes parcels to. Null says that shipping is free. */
function findTrialCharge({ shipping }: Pick<SettingValues, 'shipping'>): Charge | null {
  const country = shipping.countries.find((code) => stripeCountries.has(code))
  const price = country ? shippingPrice(shipping, country) : 0
  return country && price > 0 ? { country, amount: toCents(price) } : null
}
