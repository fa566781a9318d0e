import { and, asc, desc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm'
import type { BoundedCount } from '#contract/paging.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import { profiles } from '#tables/accounts.ts'
import { namedParts } from '#domains/catalog/product-columns.ts'
import { products } from '#tables/products.ts'
import { purchases } from '#tables/purchases.ts'
import { isTrial } from './trials.ts'
import type {
  AdminShipment,
  ShipmentList,
  ShipmentListRequest,
  ShipmentView,
} from '#contract/orders/admin-shipments.ts'
import type { Shipment } from '#contract/orders/shipments.ts'
import { shipments, shipping_charges } from '#tables/shipping.ts'
import { orderProblem } from './problem.ts'
import { isEntitled, isWithdrawn } from './entitlements.ts'

export const isShippable = sql<boolean>`(${shipments.shipped_at} is null and ${shipments.is_paid} and ${isEntitled(sql`${purchases}`)})`

/** A withdrawn purchase is not listed, but its parcel may be marked as shipped: its buyer may want the book after all. */
const isToShip = sql<boolean>`(${isShippable} and not ${isWithdrawn(sql`${purchases}`)})`

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
export async function lockShipment(tx: Transaction, wanted: { purchase_id: string; user_id?: string }) {
  const { purchase_id, user_id } = wanted
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
  if (!row || (user_id && row.user_id !== user_id)) throw orderProblem('purchases.not_found')
  if (!row.shipment_id) throw orderProblem('shipments.not_found')
  return row
}

const pageSize = 50
const maxCounted = 1000
const { purchase_id, created_at, shipped_at, format } = shipments

const views = {
  to_ship: { fits: isToShip, moment: created_at, order: asc, isAfter: sql`>` },
  shipped: { fits: sql`${shipped_at} is not null`, moment: shipped_at, order: desc, isAfter: sql`<` },
} satisfies Record<ShipmentView, object>

export async function listShipments(db: Db, request: ShipmentListRequest): Promise<ShipmentList> {
  const { view, format: only, after } = request
  const { fits, moment, order, isAfter } = views[view]
  const place = readCursor(after, momentKey)
  const at = place && sql`(${place[0]}::timestamptz, ${place[1]}::uuid)`
  const [rows, to_ship] = await Promise.all([
    selectShipments(db)
      .where(and(fits, only && eq(format, only), at && sql`(${moment}, ${purchase_id}) ${isAfter} ${at}`))
      .orderBy(order(moment), order(purchase_id))
      .limit(pageSize + 1),
    countToShip(db),
  ])
  const key = (row: Row) => [
    view === 'to_ship' ? row.created_place : row.shipped_place,
    row.shipment.purchase_id,
  ]
  return { ...toPage(rows, pageSize, { item: toAdminShipment, key }), to_ship }
}

export async function readSlips(db: Db, ids: string[]): Promise<AdminShipment[]> {
  const rows = await selectShipments(db).where(inArray(purchase_id, ids))
  const byId = new Map(rows.map((row) => [row.shipment.purchase_id, toAdminShipment(row)]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/** Of real orders from `begin` on, and before `end`: those that still wait, the oldest first. */
export async function listParcels(db: Db, begin: SQL, end: SQL): Promise<AdminShipment[]> {
  const rows = await selectShipments(db)
    .where(
      and(isToShip, sql`${created_at} >= ${begin} and ${created_at} < ${end} and not ${purchases.is_test}`),
    )
    .orderBy(asc(created_at), asc(purchase_id))
    .limit(pageSize)
  return rows.map(toAdminShipment)
}

export async function findShipment(db: Db, id: string): Promise<Shipment | null> {
  const [row] = await selectShipments(db).where(eq(purchase_id, id))
  return row ? toShipment(row.shipment) : null
}

export async function countToShip(db: Db): Promise<BoundedCount> {
  const found = db
    .select({ one: sql`1`.as('one') })
    .from(shipments)
    .innerJoin(purchases, eq(purchases.id, purchase_id))
    .where(isToShip)
    .limit(maxCounted + 1)
    .as('found')
  const [{ count } = { count: 0 }] = await db.select({ count: sql<number>`count(*)::int` }).from(found)
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted }
}

function selectShipments(db: Db) {
  return db
    .select({
      shipment: shipmentColumns,
      purchase: {
        purchase_id,
        number: purchases.number,
        format,
        product_name: products.name,
        email: profiles.email,
        display_name: profiles.display_name,
        purchase_status: purchases.status,
        is_test: purchases.is_test,
        is_trial: isTrial,
      },
      product_id: products.id,
      parts: namedParts,
      created_at,
      created_place: sql<string>`${created_at}::text`,
      shipped_place: sql<string>`${shipped_at}::text`,
    })
    .from(shipments)
    .innerJoin(purchases, eq(purchases.id, purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
}

type Row = Awaited<ReturnType<typeof selectShipments>>[number]

function toAdminShipment({ shipment, purchase, parts, product_id, created_at }: Row): AdminShipment {
  const { product_name: name, format } = purchase
  // A bundle that names no part on paper, or none any more, goes as it is.
  const hasPaper = parts.some((part) => part.format !== 'digital')
  const contents = hasPaper ? parts : [{ product_id, name, format }]
  return { ...toShipment(shipment), ...purchase, contents, created_at: created_at.toISOString() }
}
