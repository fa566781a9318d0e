// Where a parcel goes: told with the purchase, given later, corrected until it leaves.
import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { addressLines, countryName } from './contract/postal.ts'
import type { SaleMode } from '../products/contract/sale-mode.ts'
import type { PostalAddress } from '#platform/contract/postal-address.ts'
import type { Address, ShippingTerms } from './contract/shipments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { shipments } from './schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { lockShipment } from './read-shipment.ts'

type Needs = { settings: Pick<Services['settings'], 'get'> }

/** Where payments are taken, their provider asks for the address. What is given away is sent free of charge. */
export function readShippingTerms({ settings }: Needs, mode: SaleMode): ShippingTerms {
  const { shipping, tax } = settings.get()
  const takes_payments = mode === 'paid'
  const isFree = mode === 'free'
  return {
    ...shipping,
    ...(isFree && { price: 0, country_prices: {} }),
    asks_address: isFree || (shipping.asks_address && !takes_payments),
    takes_payments,
    has_tax: tax.has_tax && takes_payments,
  }
}

/** Keeps the address that came with a new purchase; for a purchase of nothing to be shipped it is not kept. */
export async function insertFirstAddress(
  tx: Transaction,
  services: Needs,
  { purchase_id, address, mode }: { purchase_id: string; address: Address | undefined; mode: SaleMode },
): Promise<void> {
  const { asks_address } = readShippingTerms(services, mode)
  if (!address && !asks_address) return
  const ofPurchase = eq(shipments.purchase_id, purchase_id)
  const [shipment] = await tx.select({ format: shipments.format }).from(shipments).where(ofPurchase)
  if (!shipment) return
  if (!address) throw new Problem('purchases.address_needed')
  requireServed(services, address.country)
  await tx
    .update(shipments)
    .set({ ...address, first_address_digest: digestOf(address) })
    .where(ofPurchase)
}

/** The address that the payment provider asked for; of a purchase that ships nothing it is not kept. */
export async function insertPaidAddress(
  tx: Transaction,
  purchase_id: string,
  address: PostalAddress,
): Promise<void> {
  await tx.update(shipments).set(address).where(eq(shipments.purchase_id, purchase_id))
}

/** Whether a purchase was made with this very address, however it was corrected since. */
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

/** By its user, as long as it is to be shipped; the same address again changes nothing, not even its time. */
export async function correctAddress(
  services: Pick<Services, 'db' | 'settings' | 'clock'>,
  own: { user_id: string; purchase_id: string },
  address: Address,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const shipment = await lockShipment(tx, own)
    if (shipment.shipped_at) throw new Problem('shipments.already_shipped')
    if (!shipment.is_to_ship) throw new Problem('shipments.not_due')
    // What was bought to a country is sent there, also when it is not served any more.
    const { country, paid_country } = shipment
    if (address.country !== country && address.country !== paid_country)
      requireServed(services, address.country)
    requirePaidCountry(shipment, address)
    await setAddress(tx, services, own.purchase_id, address)
  })
}

/** By the author, who may send to any country. */
export async function correctAddressByAdmin(
  services: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  purchase_id: string,
  address: Address,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const { email, shipped_at } = await lockShipment(tx, { purchase_id })
    if (shipped_at) throw new Problem('shipments.already_shipped')
    await setAddress(tx, services, purchase_id, address)
    await recordAuditEvent(tx, actor, {
      action: 'shipments.address_changed',
      subject: email,
      subject_id: purchase_id,
      detail: { address: addressLines(address).join(', ') },
    })
  })
}

async function setAddress(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  purchase_id: string,
  address: Address,
): Promise<void> {
  const { name, line1, line2, city, state, postal_code, country, phone } = address
  const stored = sql`(${shipments.name}, ${shipments.line1}, ${shipments.line2}, ${shipments.city},
    ${shipments.state}, ${shipments.postal_code}, ${shipments.country}, ${shipments.phone})`
  const given = sql`(${name}, ${line1}, ${line2}, ${city}, ${state}, ${postal_code}, ${country}, ${phone})`
  await tx
    .update(shipments)
    .set({ ...address, updated_at: clock() })
    .where(and(eq(shipments.purchase_id, purchase_id), sql`${stored} is distinct from ${given}`))
}

export function requireServed({ settings }: Needs, country: string): void {
  if (settings.get().shipping.countries.includes(country)) return
  throw new Problem('shipments.country_not_served', {
    fields: { country: 'We do not ship to this country.' },
  })
}

/** Sending to another country may cost more: only the author can say that it does not matter, and correct it to there. */
function requirePaidCountry(
  { country, paid_country }: { country: string | null; paid_country: string | null },
  address: Address,
): void {
  if (!paid_country || paid_country === address.country || country === address.country) return
  const detail = `Shipping was paid to ${countryName(paid_country)}. To have it sent elsewhere, please write to the author.`
  throw new Problem('shipments.other_country', { detail, fields: { country: detail } })
}

function digestOf({ name, line1, line2, city, state, postal_code, country, phone }: Address): string {
  const parts = [name, line1, line2, city, state, postal_code, country, phone]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
