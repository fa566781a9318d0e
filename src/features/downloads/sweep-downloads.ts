// Deletes links that were never followed, and downloads too old to be evidence in a dispute.
import { and, between, isNull, lt } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { deleteBatches } from '#platform/db/delete-batches.ts'
import { downloads } from './schema.ts'
import type { Services } from '../../services.ts'

const dayMs = 24 * 3_600_000

/** A link works for 15 minutes, and one that was not followed is shown nowhere. */
const unusedDays = 1

/** How far back unused links are looked for; those of a shop that was off for longer go with the old ones. */
const lookBackDays = 7

/** The longest time that a card network allows for a dispute is 540 days. */
export const evidenceDays = 730

/** By the primary key, which begins with the time: the table has no other index for it. */
export async function sweepDownloads({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const { id, started_at } = downloads
  const firstId = (days: number) => firstIdAt(clock().getTime() - days * dayMs)
  await deleteBatches(db, id, lt(id, firstId(evidenceDays)))
  const isRecent = between(id, firstId(unusedDays + lookBackDays), firstId(unusedDays))
  await deleteBatches(db, id, and(isRecent, isNull(started_at)))
}

function firstIdAt(msecs: number): string {
  return uuidv7({ msecs, seq: 0, random: new Uint8Array(16) })
}
