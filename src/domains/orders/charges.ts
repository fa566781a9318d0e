import { orderProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { formatCents, toCents, type Cents } from '#contract/money.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { SaleMode } from '#contract/catalog/sale-mode.ts'
import { readShippingTerms, requireServed } from './address.ts'
import { countryName } from '#contract/orders/postal.ts'
import type { Address } from '#contract/orders/shipments.ts'
import { isFree, isOnePrice, shippingPrice, shippingRange } from '#contract/orders/shipping-price.ts'
import { shipping_charges } from '#tables/shipping.ts'

type Needs = Pick<Services, 'settings'>

export type Charge = { country: string | null; amount: Cents }

export type Destination = {
  country?: string | undefined
  address?: Address | undefined
  shipping?: number | undefined
}

/** Undefined where all countries are free. Where the country is missing, the highest price, which insertCharge refuses. */
export function findCharge({ settings }: Needs, wanted: Destination): Charge | undefined {
  const { shipping } = settings.get()
  const range = shippingRange(shipping)
  if (isFree(range)) return undefined
  const country = countryOf(wanted) ?? (shipping.countries.length === 1 ? shipping.countries[0] : undefined)
  const price = country ? shippingPrice(shipping, country) : range.max
  return { country: country ?? null, amount: toCents(price) }
}

const countryOf = ({ country, address }: Destination) => address?.country ?? country

type NewCharge = {
  purchase_id: string
  charge: Charge
  mode: SaleMode
  shown: number | undefined
  isFinal: boolean
}

// Where no page shows the sum before the money is taken (`isFinal`), the buyer must have been shown the price, which an
// admin may have changed meanwhile. Stripe's page shows it, so there only a given price counts. A lower one is accepted.
export async function insertCharge(
  tx: Transaction,
  services: Needs,
  { purchase_id, charge, mode, shown, isFinal }: NewCharge,
): Promise<void> {
  const { country, amount } = charge
  const { shipping, shop } = services.settings.get()
  if (country === null && !isOnePrice(shippingRange(shipping))) {
    const { asks_address } = readShippingTerms(services, mode)
    throw orderProblem(asks_address ? 'purchases.address_needed' : 'shipments.country_needed')
  }
  if (country !== null) requireServed(services, country)
  const expected = shown === undefined ? (isFinal ? 0n : amount) : toCents(shown)
  if (amount > expected) {
    const to = country === null ? '' : ` to ${countryName(country)}`
    const detail = `Shipping${to} costs ${formatCents(amount, shop.currency)} now. Nothing was bought.`
    throw orderProblem('shipments.price_changed', { detail })
  }
  await tx.insert(shipping_charges).values({ purchase_id, country, amount })
}

export async function saveCharge(tx: Transaction, charge: typeof shipping_charges.$inferInsert) {
  const { amount } = charge
  await tx
    .insert(shipping_charges)
    .values(charge)
    .onConflictDoUpdate({ target: shipping_charges.purchase_id, set: { amount } })
}

/** Whether a repeated intent is for the country that its purchase was made for. One that names none is for any. */
export function isSameCountry(charge: Pick<Charge, 'country'> | null, wanted: Destination): boolean {
  const country = countryOf(wanted)
  return !country || !charge?.country || charge.country === country
}
