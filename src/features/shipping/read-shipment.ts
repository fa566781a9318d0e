import { eq, getTableColumns, sql } from 'drizzle-orm'
import { Problem } from '../../problems.ts'
import type { Transaction } from '#platform/db/client.ts'
import { profiles } from '../accounts/schema.ts'
import { isEntitled, isWithdrawn } from '../entitlements/entitlements.ts'
import { purchases } from '../purchases/schema.ts'
import type { Shipment } from './contract/shipments.ts'
import { shipments, shipping_charges } from './schema.ts'

export const isShippable = sql<boolean>`(${shipments.shipped_at} is null and ${shipments.is_paid} and ${isEntitled(sql`${purchases}`)})`

/** A withdrawn purchase is not listed, but its parcel may be marked as shipped: its buyer may want the book after all. */
export const isToShip = sql<boolean>`(${isShippable} and not ${isWithdrawn(sql`${purchases}`)})`

/** For a select in which both shipments and purchases take part; the id tells a row of nulls from none. */
export const shipmentColumns = { ...getTableColumns(shipments), is_to_ship: isToShip }

export function toShipment(row: typeof shipments.$inferSelect & { is_to_ship: boolean }): Shipment {
  const { name, line1, line2, city, state, postal_code, country, phone } = row
  const { carrier, tracking_number, shipped_at, is_to_ship, updated_at } = row
  const hasAddress = name !== null && line1 !== null && city !== null && country !== null
  return {
    address: hasAddress ? { name, line1, line2, city, state, postal_code, country, phone } : null,
    carrier,
    tracking_number,
    shipped_at: shipped_at?.toISOString() ?? null,
    is_to_ship,
    updated_at: updated_at.toISOString(),
  }
}

/** Locks the purchase before it reads the shipment, as refunds do: only one of shipping, correcting and refunding runs. */
export async function lockShipment(
  tx: Transaction,
  { purchase_id, user_id }: { purchase_id: string; user_id?: string },
) {
  const ofPurchase = eq(purchases.id, purchase_id)
  await tx.select({ id: purchases.id }).from(purchases).where(ofPurchase).for('no key update')
  const [row] = await tx
    .select({
      user_id: purchases.user_id,
      email: profiles.email,
      shipment_id: shipments.purchase_id,
      shipped_at: shipments.shipped_at,
      carrier: shipments.carrier,
      tracking_number: shipments.tracking_number,
      country: shipments.country,
      is_to_ship: isToShip,
      paid_country: shipping_charges.country,
    })
    .from(purchases)
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .leftJoin(shipments, eq(shipments.purchase_id, purchases.id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .where(ofPurchase)
  if (!row || (user_id && row.user_id !== user_id)) throw new Problem('purchases.not_found')
  if (!row.shipment_id) throw new Problem('shipments.not_found')
  return row
}
