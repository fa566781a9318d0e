// Deletes records of emails that belong to no purchase. Those of a purchase are evidence for its buyer's bank.
import { and, isNull, lt } from 'drizzle-orm'
import { deleteBatches } from '#platform/db/query.ts'
import { mails } from './schema.ts'
import type { Services } from '../../services.ts'

export const retentionDays = 90

/** One that was given up stays until the author has dismissed it. */
export async function sweepMails({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const old = new Date(clock().getTime() - retentionDays * 24 * 3_600_000)
  const isOld = and(isNull(mails.purchase_id), lt(mails.created_at, old), isNull(mails.given_up_at))
  await deleteBatches(db, mails.id, isOld)
}
