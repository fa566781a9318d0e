// Parcels leave: marked as shipped, each once, and the user told.
import { eq, inArray, sql } from 'drizzle-orm'
import type { ShippedRequest, Tracking } from './contract/admin-shipments.ts'
import { isUndoable } from './contract/shipments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { shipments } from './schema.ts'
import { profiles } from '../accounts/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { shippedMailJob } from './shipped-email-job.ts'
import { isToShip, lockShipment } from './read-shipment.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'clock'>
type Outcome = { shipped: string[]; skipped: string[] }

/**
 * Marks what is to be shipped and enqueues its mail, both or neither. `skipped` are those that another admin has
 * shipped, that are not paid for any more, or whose address was corrected after the author saw it: of two at once, one ships.
 */
export async function shipParcels(
  { db, queue, clock }: Needs,
  actor: Actor,
  { parcels, is_told }: ShippedRequest,
): Promise<Outcome> {
  const wanted = new Map(parcels.map((parcel) => [parcel.purchase_id, parcel]))
  return db.transaction(async (tx) => {
    const found = await lockDue(tx, [...wanted.keys()])
    const due = found.flatMap((row) => {
      const parcel = wanted.get(row.purchase_id)
      return parcel && isAsSeen(row, parcel) ? [{ ...row, parcel }] : []
    })
    const shipped_at = clock()
    for (const { purchase_id, email, parcel } of due) {
      const set = trackingOf(parcel)
      await tx
        .update(shipments)
        .set({ ...set, shipped_at, updated_at: shipped_at })
        .where(eq(shipments.purchase_id, purchase_id))
      if (is_told)
        await queue.enqueue(tx, shippedMailJob, { purchase_id, shipped_at: shipped_at.toISOString() })
      const event = { action: 'shipments.shipped', subject: email, subject_id: purchase_id } as const
      await recordAuditEvent(tx, actor, { ...event, detail: { ...set, is_told } })
    }
    const shipped = due.map(({ purchase_id }) => purchase_id)
    return { shipped, skipped: [...wanted.keys()].filter((id) => !shipped.includes(id)) }
  })
}

/** In one order, so that two who ship overlapping lists wait for each other instead of both being stuck. */
async function lockDue(tx: Transaction, ids: string[]) {
  await tx
    .select({ id: purchases.id })
    .from(purchases)
    .where(inArray(purchases.id, ids))
    .orderBy(purchases.id)
    .for('no key update')
  return tx
    .select({
      purchase_id: shipments.purchase_id,
      updated_at: shipments.updated_at,
      email: profiles.email,
    })
    .from(shipments)
    .innerJoin(purchases, eq(purchases.id, shipments.purchase_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(sql`${inArray(shipments.purchase_id, ids)} and ${isToShip}`)
}

function isAsSeen(row: { updated_at: Date }, { updated_at }: ShippedRequest['parcels'][number]): boolean {
  return updated_at === undefined || Date.parse(updated_at) === row.updated_at.getTime()
}

/** Puts it back among what is to be shipped; a mail that has not left yet does not leave. */
export async function undoShipping({ db, clock }: Needs, actor: Actor, purchase_id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { email, shipped_at, carrier, tracking_number } = await lockShipment(tx, { purchase_id })
    if (!shipped_at) throw new Problem('shipments.not_shipped')
    if (!isUndoable(shipped_at, clock())) throw new Problem('shipments.too_late_to_undo')
    await tx
      .update(shipments)
      .set({ shipped_at: null, carrier: null, tracking_number: null, updated_at: clock() })
      .where(eq(shipments.purchase_id, purchase_id))
    const event = { action: 'shipments.unshipped', subject: email, subject_id: purchase_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail: { carrier, tracking_number } })
  })
}

/** Of what has left. */
export async function changeTracking(
  { db, clock }: Needs,
  actor: Actor,
  purchase_id: string,
  tracking: Tracking,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { email, shipped_at } = await lockShipment(tx, { purchase_id })
    if (!shipped_at) throw new Problem('shipments.not_shipped')
    const detail = trackingOf(tracking)
    await tx
      .update(shipments)
      .set({ ...detail, updated_at: clock() })
      .where(eq(shipments.purchase_id, purchase_id))
    const event = { action: 'shipments.tracking_changed', subject: email, subject_id: purchase_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail })
  })
}

function trackingOf({ carrier, tracking_number }: Tracking) {
  return { carrier: carrier || null, tracking_number: tracking_number || null }
}
