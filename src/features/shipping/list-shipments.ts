// Shipments as the admin area finds them: a page, a count that ends somewhere, slips; each costs the same however many there are.
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { BoundedCount } from '#platform/contract/paging.ts'
import type {
  AdminShipment,
  ShipmentList,
  ShipmentListRequest,
  ShipmentView,
} from './contract/admin-shipments.ts'
import type { Shipment } from './contract/shipments.ts'
import type { Db } from '#platform/db/client.ts'
import { shipments } from './schema.ts'
import { profiles } from '../accounts/schema.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { namedParts } from '../products/product-columns.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import { isToShip, shipmentColumns, toShipment } from './read-shipment.ts'

const pageSize = 50
const maxCounted = 1000
const { purchase_id, created_at, shipped_at, format } = shipments

/** What each view lists, and in which order. */
const views = {
  to_ship: {
    fits: isToShip,
    moment: created_at,
    order: asc,
    isAfter: sql`>`,
    placeOf: (row: Row) => row.created_place,
  },
  shipped: {
    fits: sql`${shipped_at} is not null`,
    moment: shipped_at,
    order: desc,
    isAfter: sql`<`,
    placeOf: (row: Row) => row.shipped_place,
  },
} satisfies Record<ShipmentView, object>

export async function listShipments(
  db: Db,
  { view, format: only, after }: ShipmentListRequest,
): Promise<ShipmentList> {
  const { fits, moment, order, isAfter, placeOf } = views[view]
  const place = readCursor(after, momentKey)
  const at = place && sql`(${place[0]}::timestamptz, ${place[1]}::uuid)`
  const [rows, to_ship] = await Promise.all([
    selectShipments(db)
      .where(and(fits, only && eq(format, only), at && sql`(${moment}, ${purchase_id}) ${isAfter} ${at}`))
      .orderBy(order(moment), order(purchase_id))
      .limit(pageSize + 1),
    countToShip(db),
  ])
  const keyOf = (row: Row) => [placeOf(row), row.purchase_id]
  return { ...toPage(rows, pageSize, { item: toAdminShipment, key: keyOf }), to_ship }
}

/** In the order in which they were asked for; what is not there is left out. */
export async function readSlips(db: Db, ids: string[]): Promise<AdminShipment[]> {
  const rows = await selectShipments(db).where(inArray(purchase_id, ids))
  const byId = new Map(rows.map((row) => [row.purchase_id, toAdminShipment(row)]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/** Null where nothing is shipped. */
export async function findShipment(db: Db, id: string): Promise<Shipment | null> {
  const [row] = await selectShipments(db).where(eq(purchase_id, id))
  return row ? toShipment(row) : null
}

async function countToShip(db: Db): Promise<BoundedCount> {
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
      ...shipmentColumns,
      number: purchases.number,
      format,
      product_name: products.name,
      product_id: products.id,
      parts: namedParts,
      email: profiles.email,
      display_name: profiles.display_name,
      purchase_status: purchases.status,
      is_test: purchases.is_test,
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

function toAdminShipment(row: Row): AdminShipment {
  const { purchase_id, number, format, product_name, email, display_name, purchase_status, is_test } = row
  const about = { purchase_id, number, format, product_name, email, display_name, purchase_status, is_test }
  return { ...toShipment(row), ...about, contents: contentsOf(row), created_at: row.created_at.toISOString() }
}

/** A bundle that names no part on paper, or none any more, goes as it is. */
function contentsOf({ parts, product_id, product_name, format }: Row): AdminShipment['contents'] {
  return parts.some((part) => part.format !== 'digital')
    ? parts
    : [{ product_id, name: product_name, format }]
}
