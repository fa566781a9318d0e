// Shipments: listed, marked as shipped, undone, tracked, and announced to buyers by email.
import { and, asc, desc, eq, getTableColumns, inArray, not, sql, type SQL } from 'drizzle-orm'
import type { BoundedCount } from '#contract/fields.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { containing, momentKey, readCursor, toPage } from '#platform/db/query.ts'
import { hasNoPassword } from '#domains/accounts/accounts.ts'
import { isShort } from '#domains/accounts/user-search.ts'
import { profiles } from '#tables/accounts.ts'
import { namedParts } from '#domains/catalog/product-sql.ts'
import { products } from '#tables/catalog.ts'
import { purchases, shipments, shipping_charges } from '#tables/orders.ts'
import { isEntitled, isShownAsTest, isWithdrawn } from './entitlements.ts'
import type {
  AdminShipment,
  Parcel,
  ShipmentList,
  ShipmentListRequest,
  ShipmentView,
  ShippedRequest,
  Tracking,
} from '#contract/orders/admin-orders.ts'
import { type Shipment, isUndoable } from '#contract/orders/shipments.ts'
import { orderProblem } from './problem.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/sending.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const isDeliverable = sql<boolean>`(${shipments.is_paid} and ${isEntitled(sql`${purchases}`)})`

/** Also of a parcel that has left. */
const isOwed = sql<boolean>`(${isDeliverable} and not ${isWithdrawn(sql`${purchases}`)})`

/** A withdrawn purchase is not listed, but its parcel may be marked as shipped: its buyer may want the book after all. */
const isShippable = sql<boolean>`(${shipments.shipped_at} is null and ${isDeliverable})`

const isToShip = sql<boolean>`(${shipments.shipped_at} is null and ${isOwed})`

/** The products that are not out, by the paper in them: in a bundle, its parts. */
const comingPaper = sql`
  select p.id, p.release_on from products p where p.release_on > shop_day()
  union all
  select i.bundle_id, part.release_on from bundle_items i join products part on part.id = i.product_id
  where part.release_on > shop_day() and part.format <> 'digital'`

const isPreOrder = sql<boolean>`(${purchases.product_id} in (select coming.id from (${comingPaper}) coming))`

const releaseOn = sql<string | null>`(
  select max(coming.release_on)::text from (${comingPaper}) coming where coming.id = ${purchases.product_id})`

/** What is to be sent now. A pre-order may leave before its day, and nobody is pressed to send it. */
const isDue = sql<boolean>`(${isToShip} and not ${isPreOrder})`

/** The id tells a row of nulls from none, in a select in which both shipments and purchases take part. */
export const shipmentColumns = { ...getTableColumns(shipments), is_to_ship: isToShip }

/**
 * Takes a shipment `s`: its name, street, postal code and city, which an index has together. Undefined for one or two
 * letters, which the index cannot find, but for scripts in which they are a name.
 */
export function isAddressedTo(q: string): SQL | undefined {
  if (isShort(q)) return undefined
  return sql`searchable(coalesce(s.name, '') || ' ' || coalesce(s.line1, '') || ' ' || s.postal_code || ' ' || coalesce(s.city, ''))
    like searchable(${containing(q)})`
}

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
export async function lockShipment(tx: Transaction, request: { purchase_id: string; user_id?: string }) {
  const { purchase_id, user_id } = request
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
      is_owed: isOwed,
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
  to_ship: { fits: isDue, moment: created_at, order: asc, isAfter: sql`>` },
  pre_orders: { fits: sql`(${isToShip} and ${isPreOrder})`, moment: created_at, order: asc, isAfter: sql`>` },
  shipped: { fits: sql`${shipped_at} is not null`, moment: shipped_at, order: desc, isAfter: sql`<` },
} satisfies Record<ShipmentView, object>

export async function listShipments(db: Db, request: ShipmentListRequest): Promise<ShipmentList> {
  const { view, format: only, after } = request
  const { fits, moment, order, isAfter } = views[view]
  const place = readCursor(after, momentKey)
  const at = place && sql`(${place[0]}::timestamptz, ${place[1]}::uuid)`
  const [rows, to_ship, pre_orders] = await Promise.all([
    selectShipments(db)
      .where(and(fits, only && eq(format, only), at && sql`(${moment}, ${purchase_id}) ${isAfter} ${at}`))
      .orderBy(order(moment), order(purchase_id))
      .limit(pageSize + 1),
    countToShip(db),
    countPreOrders(db),
  ])
  const key = (row: ShipmentRow) => [
    view === 'shipped' ? row.shipped_place : row.created_place,
    row.shipment.purchase_id,
  ]
  return { ...toPage(rows, pageSize, { item: toAdminShipment, key }), to_ship, pre_orders }
}

export async function readSlips(db: Db, ids: string[]): Promise<AdminShipment[]> {
  const rows = await selectShipments(db).where(inArray(purchase_id, ids))
  const byId = new Map(rows.map((row) => [row.shipment.purchase_id, toAdminShipment(row)]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/** Lists parcels of real orders from `begin` on, and before `end`: those that still wait, the oldest first. */
export async function listParcels(db: Db, begin: SQL, end: SQL): Promise<AdminShipment[]> {
  const rows = await selectShipments(db)
    .where(
      and(
        isToShip,
        sql`${created_at} >= ${begin} and ${created_at} < ${end}`,
        not(isShownAsTest(sql`${purchases}`)),
      ),
    )
    .orderBy(asc(created_at), asc(purchase_id))
    .limit(pageSize)
  return rows.map(toAdminShipment)
}

/** A `storedAddress`, or null where the parcel has none. */
export const addressOf = (purchase: SQL): SQL => sql`(
  select to_jsonb(a) from (
    select name, line1, line2, city, state, postal_code, country, phone from shipments
    where purchase_id = ${purchase}.id and name is not null) a)`

export async function findParcel(db: Db | Transaction, id: string): Promise<Parcel | null> {
  const [row] = await selectShipments(db).where(eq(purchase_id, id))
  if (!row) return null
  const { release_on, is_owed } = row.purchase
  return { ...toShipment(row.shipment), release_on, is_owed }
}

export async function countToShip(db: Db): Promise<BoundedCount> {
  const { count, isMore } = await countWaiting(db, isDue)
  return { count, isMore }
}

async function countPreOrders(db: Db): Promise<ShipmentList['pre_orders']> {
  const { first, ...counted } = await countWaiting(db, views.pre_orders.fits, releaseOn)
  return { ...counted, release_on: counted.isMore ? null : first }
}

const noDay = sql<string | null>`null::text`

async function countWaiting(db: Db, fits: SQL, day = noDay) {
  const result = db
    .select({ release_on: day.as('release_on') })
    .from(shipments)
    .innerJoin(purchases, eq(purchases.id, purchase_id))
    .where(fits)
    .limit(maxCounted + 1)
    .as('found')
  const [{ count, first } = { count: 0, first: null }] = await db
    .select({ count: sql<number>`count(*)::int`, first: sql<string | null>`min(${result.release_on})` })
    .from(result)
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted, first }
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
        display_name: sql<string | null>`buyer_name(${purchases.id})`,
        purchase_status: purchases.status,
        is_test: isShownAsTest(sql`${purchases}`),
        release_on: releaseOn,
        is_owed: isOwed,
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

type ShipmentRow = Awaited<ReturnType<typeof selectShipments>>[number]

function toAdminShipment({ shipment, purchase, parts, product_id, created_at }: ShipmentRow): AdminShipment {
  const { product_name: name, format } = purchase
  // A bundle that names no part on paper, or none any more, goes as it is.
  const hasPaper = parts.some((part) => part.format !== 'digital')
  const contents = hasPaper ? parts : [{ product_id, name, format }]
  return { ...toShipment(shipment), ...purchase, contents, created_at: created_at.toISOString() }
}

export async function shipParcels({ db, queue, clock }: CommerceShop, actor: Actor, request: ShippedRequest) {
  const { parcels, is_told } = request
  const parcelById = new Map(parcels.map((parcel) => [parcel.purchase_id, parcel]))
  return db.transaction(async (tx) => {
    const parcels = await lockParcelsToShip(tx, [...parcelById.keys()])
    const due = parcels.flatMap((row) => {
      const parcel = parcelById.get(row.purchase_id)
      const seen = parcel?.updated_at
      const isAsSeen = seen === undefined || Date.parse(seen) === row.updated_at.getTime()
      return parcel && isAsSeen ? [{ ...row, parcel }] : []
    })
    const shipped_at = clock()
    for (const { purchase_id, email: subject, parcel } of due) {
      const detail = trackingOf(parcel)
      const set = { ...detail, shipped_at, updated_at: shipped_at }
      await tx.update(shipments).set(set).where(eq(shipments.purchase_id, purchase_id))
      if (is_told)
        await queue.enqueue(tx, shippedMailJob, { purchase_id, shipped_at: shipped_at.toISOString() })
      const event = { action: 'shipments.shipped', subject, subject_id: purchase_id } as const
      await recordAuditEvent(tx, actor, { ...event, detail: { ...detail, is_told } })
    }
    const shipped = due.map(({ purchase_id }) => purchase_id)
    return { shipped, skipped: [...parcelById.keys()].filter((id) => !shipped.includes(id)) }
  })
}

/** Locks in one order, so that two admins with overlapping lists do not deadlock. */
async function lockParcelsToShip(tx: Transaction, ids: string[]) {
  const { id } = purchases
  await tx.select({ id }).from(purchases).where(inArray(id, ids)).orderBy(id).for('no key update')
  return tx
    .select({
      purchase_id: shipments.purchase_id,
      updated_at: shipments.updated_at,
      email: profiles.email,
    })
    .from(shipments)
    .innerJoin(purchases, eq(id, shipments.purchase_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(sql`${inArray(shipments.purchase_id, ids)} and ${isShippable}`)
}

export async function undoShipping(services: CommerceShop, actor: Actor, purchase_id: string): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const {
      email: subject,
      shipped_at,
      is_owed,
      carrier,
      tracking_number,
    } = await lockShipment(tx, { purchase_id })
    if (!shipped_at) throw orderProblem('shipments.not_shipped')
    // It would be on no list of parcels, and what proves that it was sent would be lost.
    if (!is_owed) throw orderProblem('shipments.not_owed')
    if (!isUndoable(shipped_at, clock())) throw orderProblem('shipments.too_late_to_undo')
    const set = { shipped_at: null, carrier: null, tracking_number: null, updated_at: clock() }
    await tx.update(shipments).set(set).where(eq(shipments.purchase_id, purchase_id))
    const event = { action: 'shipments.unshipped', subject, subject_id: purchase_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail: { carrier, tracking_number } })
  })
}

export async function changeTracking(
  services: CommerceShop,
  actor: Actor,
  purchase_id: string,
  tracking: Tracking,
) {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const { email: subject, shipped_at } = await lockShipment(tx, { purchase_id })
    if (!shipped_at) throw orderProblem('shipments.not_shipped')
    const detail = trackingOf(tracking)
    const set = { ...detail, updated_at: clock() }
    await tx.update(shipments).set(set).where(eq(shipments.purchase_id, purchase_id))
    const event = { action: 'shipments.tracking_changed', subject, subject_id: purchase_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail })
  })
}

function trackingOf({ carrier, tracking_number }: Tracking) {
  return { carrier: carrier || null, tracking_number: tracking_number || null }
}

/** `shipped_at` identifies the shipping: one that was undone meanwhile gets no email. */
export const shippedMailJob = defineMailJob({
  name: 'mail.shipped',
  kinds: ['shipped'],
  payload: z.object({ purchase_id: z.uuid(), shipped_at: z.iso.datetime() }),
  async compose(services: CommerceShop, { purchase_id, shipped_at }, branding) {
    const parcel = await findShipped(services, purchase_id, new Date(shipped_at))
    if (!parcel) {
      services.log.info({ purchase_id }, 'no mail: it is not shipped any more')
      return undefined
    }
    // Loaded with the first mail, as the receipt is.
    const { shippedEmail } = await import('./orders.emails.ts')
    const email = await shippedEmail({ ...parcel, branding })
    const replyTo = branding.authorEmail
    return { kind: 'shipped', purchase_id, email: { ...email, replyTo } }
  },
})

async function findShipped({ db }: CommerceShop, purchase_id: string, shipped_at: Date) {
  const [row] = await db
    .select({
      shipment: shipmentColumns,
      purchase: {
        format: shipments.format,
        number: purchases.number,
        to: profiles.email,
        display_name: sql<string | null>`buyer_name(${purchases.id})`,
        has_no_password: hasNoPassword(sql`${purchases.user_id}`),
        product_name: products.name,
      },
    })
    .from(shipments)
    .innerJoin(purchases, eq(purchases.id, shipments.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(and(eq(shipments.purchase_id, purchase_id), eq(shipments.shipped_at, shipped_at)))
  return row && { ...row.purchase, ...toShipment(row.shipment) }
}
