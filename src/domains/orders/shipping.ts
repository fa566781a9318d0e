// The address of a purchase’s parcel and the charge for shipping.
import { fill } from '#words/texts.ts'
import { responsesTexts } from '#words/refusals.ts'
import { fieldsTexts } from '#words/fields.ts'
import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { orderProblem } from './problem.ts'
import { updatePurchase } from './purchase-changes.ts'
import type { Services } from '#platform/services.ts'
import { type PostalAddress, addressLines, countryName } from '#contract/orders/postal.ts'
import type { Transaction } from '#platform/db/client.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { SaleMode } from '#contract/catalog/products.ts'
import type { Address, ShippingTerms } from '#contract/orders/shipments.ts'
import { lockShipment } from './shipments.ts'
import { shipments, shipping_charges } from '#tables/orders.ts'
import { formatCents, toCents, type Cents } from '#contract/money.ts'
import { addsTax, isFree, isOnePrice, shippingPrice, shippingRange } from '#contract/orders/prices.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

type Dependencies = { settings: Pick<Services['settings'], 'get'> }

/** The payment provider asks for the address where payments are taken. What is given away is sent free of charge. */
export function readShippingTerms({ settings }: Dependencies, mode: SaleMode): ShippingTerms {
  const { shipping, tax } = settings.get()
  const { countries, price, country_prices } = shipping
  const takes_payments = mode === 'paid'
  const isFree = mode === 'free'
  return {
    countries,
    ...(isFree ? { price: 0, country_prices: {} } : { price, country_prices }),
    asks_address: isFree || (shipping.asks_address && !takes_payments),
    takes_payments,
    has_tax: addsTax(tax) && takes_payments,
  }
}

export async function insertFirstAddress(
  tx: Transaction,
  services: Dependencies,
  { purchase_id, address, mode }: { purchase_id: string; address: Address | undefined; mode: SaleMode },
): Promise<void> {
  const { asks_address } = readShippingTerms(services, mode)
  if (!address && !asks_address) return
  const ofPurchase = eq(shipments.purchase_id, purchase_id)
  const [shipment] = await tx.select({ format: shipments.format }).from(shipments).where(ofPurchase)
  if (!shipment) return
  if (!address) throw orderProblem('purchases.address_needed')
  requireServed(services, address.country)
  const set = { ...address, first_address_digest: digestOf(address) }
  await updatePurchase(tx, purchase_id, { country: address.country })
  await tx.update(shipments).set(set).where(ofPurchase)
}

/** The purchase has the country already. */
export async function insertPaidAddress(tx: Transaction, purchase_id: string, address: PostalAddress) {
  await tx.update(shipments).set(address).where(eq(shipments.purchase_id, purchase_id))
}

/** True where a purchase was made with this very address, however it was corrected since. */
export async function isFirstAddress(
  tx: Transaction,
  { purchase_id, address }: { purchase_id: string; address: Address | undefined },
): Promise<boolean> {
  const [shipment] = await tx
    .select({ digest: shipments.first_address_digest })
    .from(shipments)
    .where(eq(shipments.purchase_id, purchase_id))
  return !shipment || shipment.digest === (address ? digestOf(address) : null)
}

/** Serves the buyer. The same address again changes nothing, not even its time. */
export async function correctAddress(
  services: CommerceShop,
  own: { user_id: string; purchase_id: string },
  address: Address,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const { shipped_at, is_to_ship, country, paid_country } = await lockShipment(tx, own)
    if (shipped_at) throw orderProblem('shipments.already_shipped')
    if (!is_to_ship) throw orderProblem('shipments.not_due')
    // A parcel for a country is sent there, also when it is not served any more.
    if (address.country !== country && address.country !== paid_country)
      requireServed(services, address.country)
    // Sending to another country may cost more: only the author can accept that.
    if (paid_country && paid_country !== address.country && country !== address.country) {
      const detail = fill(responsesTexts.shippingPaidTo, { country: countryName(paid_country) })
      throw orderProblem('shipments.other_country', { detail, fields: { country: detail } })
    }
    await updateAddress(tx, services, own.purchase_id, address)
  })
}

export async function correctAddressByAdmin(
  services: CommerceShop,
  actor: Actor,
  purchase_id: string,
  address: Address,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const { email: subject, shipped_at } = await lockShipment(tx, { purchase_id })
    if (shipped_at) throw orderProblem('shipments.already_shipped')
    await updateAddress(tx, services, purchase_id, address)
    const event = { action: 'shipments.address_changed', subject, subject_id: purchase_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail: { address: addressLines(address).join(', ') } })
  })
}

async function updateAddress(
  tx: Transaction,
  { clock }: CommerceShop,
  purchase_id: string,
  address: Address,
) {
  const { name, line1, line2, city, state, postal_code, country, phone } = shipments
  const saved = sql`(${name}, ${line1}, ${line2}, ${city}, ${state}, ${postal_code}, ${country}, ${phone})`
  const typed = sql`(${sql.join(
    partsOf(address).map((part) => sql`${part}`),
    sql`, `,
  )})`
  await updatePurchase(tx, purchase_id, { country: address.country })
  await tx
    .update(shipments)
    .set({ ...address, updated_at: clock() })
    .where(and(eq(shipments.purchase_id, purchase_id), sql`${saved} is distinct from ${typed}`))
}

function requireServed({ settings }: Dependencies, country: string): void {
  if (settings.get().shipping.countries.includes(country)) return
  const fields = { country: fieldsTexts.countryNotServed }
  throw orderProblem('shipments.country_not_served', { fields })
}

/** Digests of earlier purchases depend on this order. */
function partsOf({ name, line1, line2, city, state, postal_code, country, phone }: Address) {
  return [name, line1, line2, city, state, postal_code, country, phone]
}

function digestOf(address: Address) {
  return createHash('sha256')
    .update(JSON.stringify(partsOf(address)))
    .digest('base64url')
}

export type Charge = { country: string | null; amount: Cents }

export type Destination = {
  country?: string | undefined
  address?: Address | undefined
  shipping?: number | undefined
}

/** Undefined where all countries are free. Where the country is missing, the highest price, which insertCharge refuses. */
export function findCharge({ settings }: CommerceShop, destination: Destination): Charge | undefined {
  const { shipping } = settings.get()
  const range = shippingRange(shipping)
  if (isFree(range)) return undefined
  const country =
    countryOf(destination) ?? (shipping.countries.length === 1 ? shipping.countries[0] : undefined)
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

// The buyer must have been shown the price where no page shows the sum before the money is taken (`isFinal`): an admin may have
// changed it meanwhile. Stripe's page shows it, so there only a given price counts. A lower one is accepted.
export async function insertCharge(
  tx: Transaction,
  services: CommerceShop,
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

/** True where a repeated intent is for the country that its purchase was made for. One that names none is for any. */
export function isSameCountry(charge: Pick<Charge, 'country'> | null, destination: Destination): boolean {
  const country = countryOf(destination)
  return !country || !charge?.country || charge.country === country
}
