import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryAll, queryOne } from '#platform/db/query.ts'
import type { Services } from '../../services.ts'
import { editionMailJob } from './edition-email-job.ts'

/** Minutes' worth of emails: while so many wait for a retry, the mail server is in trouble, and no more are added. */
const maxMinutesUnderWay = 10

const load = z.object({ last_hour: z.number(), under_way: z.number() })
const queued = z.object({ file_id: z.string(), user_id: z.string(), mail_id: z.string() })

/**
 * Once a minute: hands the next emails to the queue, evenly over the hour and never more than the author's limit. In one
 * transaction with their jobs, so that after a crash each is either waiting or a job.
 */
export async function queueEditionMails(
  services: Pick<Services, 'db' | 'mail' | 'queue' | 'settings' | 'clock'>,
): Promise<void> {
  const { db, mail, queue, settings, clock } = services
  if (mail.isKept()) return
  const { bulk_per_hour } = settings.get().mail
  const now = clock()
  const hourAgo = new Date(now.getTime() - 3_600_000)
  await db.transaction(async (tx) => {
    // Of several processes, one counts at a time.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern edition mails'))`)
    const { last_hour, under_way } = await queryOne(
      tx,
      load,
      sql`
        select (select count(*) from edition_mails where queued_at > ${hourAgo}) as last_hour,
        (select count(*) from edition_mails where queued_at is not null and outcome is null) as under_way`,
    )
    const perMinute = Math.ceil(bulk_per_hour / 60)
    const room = maxMinutesUnderWay * perMinute - under_way
    const count = Math.min(perMinute, bulk_per_hour - last_hour, room)
    if (count <= 0) return
    const next = await queryAll(
      tx,
      queued,
      sql`
        update edition_mails m set queued_at = ${now}, mail_id = gen_random_uuid()
        from (
          select w.file_id, w.user_id from edition_announcements a join edition_mails w on w.file_id = a.file_id
          where a.paused_at is null and w.queued_at is null order by a.created_at, w.user_id limit ${count}) next
        where m.file_id = next.file_id and m.user_id = next.user_id
        returning m.file_id, m.user_id, m.mail_id`,
    )
    for (const { mail_id, ...payload } of next) await queue.enqueue(tx, editionMailJob, payload, mail_id)
  })
}
