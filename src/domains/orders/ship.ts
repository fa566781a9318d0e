import { and, eq, inArray, sql } from 'drizzle-orm'
import { orderProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { Transaction } from '#platform/db/client.ts'
import { profiles } from '#tables/accounts.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { purchases } from '#tables/purchases.ts'
import type { ShippedRequest, Tracking } from '#contract/orders/admin-shipments.ts'
import { isUndoable } from '#contract/orders/shipments.ts'
import { isShippable, lockShipment, shipmentColumns, toShipment } from './shipments.ts'
import { shipments } from '#tables/shipping.ts'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import { products } from '#tables/products.ts'

export async function shipParcels({ db, queue, clock }: Services, actor: Actor, request: ShippedRequest) {
  const { parcels, is_told } = request
  const wanted = new Map(parcels.map((parcel) => [parcel.purchase_id, parcel]))
  return db.transaction(async (tx) => {
    const found = await lockParcelsToShip(tx, [...wanted.keys()])
    const due = found.flatMap((row) => {
      const parcel = wanted.get(row.purchase_id)
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
    return { shipped, skipped: [...wanted.keys()].filter((id) => !shipped.includes(id)) }
  })
}

/** In one order, so that two admins with overlapping lists do not deadlock. */
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

export async function undoShipping(services: Services, actor: Actor, purchase_id: string): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const { email: subject, shipped_at, carrier, tracking_number } = await lockShipment(tx, { purchase_id })
    if (!shipped_at) throw orderProblem('shipments.not_shipped')
    if (!isUndoable(shipped_at, clock())) throw orderProblem('shipments.too_late_to_undo')
    const set = { shipped_at: null, carrier: null, tracking_number: null, updated_at: clock() }
    await tx.update(shipments).set(set).where(eq(shipments.purchase_id, purchase_id))
    const event = { action: 'shipments.unshipped', subject, subject_id: purchase_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail: { carrier, tracking_number } })
  })
}

export async function changeTracking(
  services: Services,
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
  async compose(services, { purchase_id, shipped_at }, letterhead) {
    const parcel = await findParcel(services, purchase_id, new Date(shipped_at))
    if (!parcel) {
      services.log.info({ purchase_id }, 'no mail: it is not shipped any more')
      return undefined
    }
    // Loaded with the first mail, as the receipt is.
    const { shippedEmail } = await import('./shipped-email.ts')
    const email = await shippedEmail({ ...parcel, letterhead })
    const replyTo = letterhead.authorEmail
    return { kind: 'shipped', purchase_id, email: { ...email, replyTo } }
  },
})

async function findParcel({ db }: Services, purchase_id: string, shipped_at: Date) {
  const [row] = await db
    .select({
      shipment: shipmentColumns,
      purchase: {
        format: shipments.format,
        number: purchases.number,
        to: profiles.email,
        display_name: profiles.display_name,
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
