import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'
import { queueBulkMails, type BulkList } from '#domains/mail/bulk-mails.ts'
import { editionMailJob } from './edition-email-job.ts'

const taken = z.object({ file_id: z.string(), user_id: z.string(), mail_id: z.string() })

export const editionMailList: BulkList = {
  async take(tx, { queue, clock }, limit) {
    const next = await queryAll(
      tx,
      taken,
      sql`
        update edition_mails m set queued_at = ${clock()}, mail_id = gen_random_uuid()
        from (
          select w.file_id, w.user_id from edition_announcements a join edition_mails w on w.file_id = a.file_id
          where a.paused_at is null and w.queued_at is null order by a.created_at, w.user_id limit ${limit}) next
        where m.file_id = next.file_id and m.user_id = next.user_id
        returning m.file_id, m.user_id, m.mail_id`,
    )
    for (const { mail_id, ...payload } of next) await queue.enqueue(tx, editionMailJob, payload, mail_id)
    return next.length
  },
}

export const queueEditionMails = (services: Parameters<typeof queueBulkMails>[0]) =>
  queueBulkMails(services, [editionMailList])
