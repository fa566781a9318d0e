// Deletes events from the payment provider that are resolved.
import { and, lt } from 'drizzle-orm'
import { deleteBatches } from '#platform/db/query.ts'
import { payment_events } from './schema.ts'
import type { Services } from '../../services.ts'

/** The provider lists and repeats events for 30 days. One that came again later would be looked up once more. */
const retentionMs = 90 * 24 * 3_600_000

export async function sweepEvents({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const old = new Date(clock().getTime() - retentionMs)
  const isOld = and(lt(payment_events.handled_at, old), lt(payment_events.received_at, old))
  await deleteBatches(db, payment_events.id, isOld)
}
