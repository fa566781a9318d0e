// What sending a purchase costs its buyer. A shop that sends everywhere free of charge stores nothing.
import { compareMoney, formatMoney } from '#platform/contract/money.ts'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { SaleMode } from '../products/contract/sale-mode.ts'
import { readShippingTerms, requireServed } from './address.ts'
import { countryName } from './contract/postal.ts'
import type { Address, ShippingCharge } from './contract/shipments.ts'
import { isFree, isOnePrice, shippingPrice, shippingRange } from './contract/shipping-price.ts'
import { shipping_charges } from './schema.ts'

type Needs = Pick<Services, 'settings'>

export type Destination = {
  /** Where it goes; an address says it, too. */
  country?: string | undefined
  address?: Address | undefined
  /** The price of shipping that the buyer was shown. */
  shipping?: number | undefined
}

/**
 * What sending to this country costs now; undefined where all countries are free. Without the country that the price
 * depends on it is the highest one, which insertCharge refuses.
 */
export function findCharge({ settings }: Needs, wanted: Destination): ShippingCharge | undefined {
  const { shipping } = settings.get()
  const range = shippingRange(shipping)
  if (isFree(range)) return undefined
  const country = countryOf(wanted) ?? (shipping.countries.length === 1 ? shipping.countries[0] : undefined)
  return { country: country ?? null, amount: country ? shippingPrice(shipping, country) : range.most }
}

const countryOf = ({ country, address }: Destination) => address?.country ?? country

/**
 * Stores what findCharge said, for a new purchase that ships. Where nothing is shown before the money is taken
 * (`isFinal`), the buyer must have been shown the price: an admin may have changed it while the question was open, or
 * an old page may still call shipping free. Stripe's page shows the sum itself, so there the price only counts where it
 * is given. A lower price than the one that was shown is taken as it is.
 */
export async function insertCharge(
  tx: Transaction,
  services: Needs,
  { purchase_id, charge, mode, shown, isFinal }: NewCharge,
): Promise<void> {
  const { country, amount } = charge
  if (country === null && !isOnePrice(shippingRange(services.settings.get().shipping))) {
    const { asks_address } = readShippingTerms(services, mode)
    throw new Problem(asks_address ? 'purchases.address_needed' : 'shipments.country_needed')
  }
  if (country !== null) requireServed(services, country)
  const expected = shown ?? (isFinal ? 0 : amount)
  if (compareMoney(amount, expected) > 0) throw priceChanged(services, charge)
  await tx.insert(shipping_charges).values({ purchase_id, country, amount })
}

type NewCharge = {
  purchase_id: string
  charge: ShippingCharge
  mode: SaleMode
  shown: number | undefined
  isFinal: boolean
}

function priceChanged({ settings }: Needs, { country, amount }: ShippingCharge): Problem {
  const to = country === null ? '' : ` to ${countryName(country)}`
  const detail = `Shipping${to} costs ${formatMoney(amount, settings.get().shop.currency)} now. Nothing was bought.`
  return new Problem('shipments.price_changed', { detail })
}

/** Of a payment that brought another price of shipping than was asked for, or of a purchase that is made again. */
export async function setCharge(
  tx: Transaction,
  { purchase_id, country, amount }: typeof shipping_charges.$inferInsert,
): Promise<void> {
  await tx
    .insert(shipping_charges)
    .values({ purchase_id, country, amount })
    .onConflictDoUpdate({ target: shipping_charges.purchase_id, set: { amount } })
}

/** Whether a repeated intent is for the country that its purchase was made for. One that names none is for any. */
export function isSameCountry(charge: ShippingCharge | null, wanted: Destination): boolean {
  const country = countryOf(wanted)
  return !country || !charge?.country || charge.country === country
}
