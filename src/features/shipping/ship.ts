import { eq, inArray, sql } from 'drizzle-orm'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { Transaction } from '#platform/db/client.ts'
import { profiles } from '../accounts/schema.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { purchases } from '../purchases/schema.ts'
import type { ShippedRequest, Tracking } from './contract/admin-shipments.ts'
import { isUndoable } from './contract/shipments.ts'
import { isShippable, lockShipment } from './read-shipment.ts'
import { shipments } from './schema.ts'
import { shippedMailJob } from './shipped-email-job.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'clock'>

/** Marks parcels as shipped and enqueues their emails, both or neither. */
export async function shipParcels(
  { db, queue, clock }: Needs,
  actor: Actor,
  { parcels, is_told }: ShippedRequest,
): Promise<{ shipped: string[]; skipped: string[] }> {
  const wanted = new Map(parcels.map((parcel) => [parcel.purchase_id, parcel]))
  return db.transaction(async (tx) => {
    const found = await lockParcelsToShip(tx, [...wanted.keys()])
    const due = found.flatMap((row) => {
      const parcel = wanted.get(row.purchase_id)
      return parcel && isAsSeen(row, parcel) ? [{ ...row, parcel }] : []
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

function isAsSeen(row: { updated_at: Date }, { updated_at }: ShippedRequest['parcels'][number]) {
  return updated_at === undefined || Date.parse(updated_at) === row.updated_at.getTime()
}

/** Makes it a parcel to ship again; its email, if it has not left yet, is not sent. */
export async function undoShipping(services: Needs, actor: Actor, purchase_id: string): Promise<void> {
  const { db, clock } = services
  await db.transaction(async (tx) => {
    const { email: subject, shipped_at, carrier, tracking_number } = await lockShipment(tx, { purchase_id })
    if (!shipped_at) throw new Problem('shipments.not_shipped')
    if (!isUndoable(shipped_at, clock())) throw new Problem('shipments.too_late_to_undo')
    const set = { shipped_at: null, carrier: null, tracking_number: null, updated_at: clock() }
    await tx.update(shipments).set(set).where(eq(shipments.purchase_id, purchase_id))
    const event = { action: 'shipments.unshipped', subject, subject_id: purchase_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail: { carrier, tracking_number } })
  })
}

export async function changeTracking(
  { db, clock }: Needs,
  actor: Actor,
  purchase_id: string,
  tracking: Tracking,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { email: subject, shipped_at } = await lockShipment(tx, { purchase_id })
    if (!shipped_at) throw new Problem('shipments.not_shipped')
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
