import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'
import type { Services } from '#platform/services.ts'
import { purchaseGiftMailJob } from './purchase-gift-mail-job.ts'

/** The rest follows a minute later. */
const maxAtOnce = 200
const reminderDays = 30

const due = z.object({ purchase_id: z.string(), revision: z.string() })

/** Once a minute. Each row is marked in one transaction with its job, so that a crash neither loses nor repeats one. */
export async function queueGiftMails({
  db,
  mail,
  queue,
  clock,
}: Pick<Services, 'db' | 'mail' | 'queue' | 'clock'>): Promise<void> {
  if (mail.isKept()) return
  const now = clock()
  const monthAgo = new Date(now.getTime() - reminderDays * 86_400_000)
  await db.transaction(async (tx) => {
    const scheduled = await queryAll(
      tx,
      due,
      sql`
        update purchase_gifts set queued_at = ${now} where purchase_id in (
          select purchase_id from purchase_gifts where queued_at is null and send_at <= ${now}
          order by send_at limit ${maxAtOnce} for update skip locked)
        returning purchase_id, revision`,
    )
    for (const gift of scheduled)
      await queue.enqueue(tx, purchaseGiftMailJob, { kind: 'gift_to_someone', ...gift })
    const unopened = await queryAll(
      tx,
      due,
      sql`
        update purchase_gifts set reminded_at = ${now} where purchase_id in (
          select purchase_id from purchase_gifts
          where opened_at is null and reminded_at is null and sent_at < ${monthAgo}
          order by sent_at limit ${maxAtOnce} for update skip locked)
        returning purchase_id, revision`,
    )
    for (const gift of unopened)
      for (const kind of ['gift_waiting', 'gift_unopened'] as const)
        await queue.enqueue(tx, purchaseGiftMailJob, { kind, ...gift })
  })
}
