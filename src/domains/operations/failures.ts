import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { midnight } from '#platform/db/days.ts'
import { queryAll } from '#platform/db/query.ts'
import { button, facts, paragraph } from '#domains/mail/email-blocks.ts'
import type { AuthorEmail } from '#domains/mail/author-emails.ts'
import { dateOf } from './date-of.ts'

const kinds = ['mail', 'held', 'refund', 'refund_failed', 'event', 'lost_file'] as const
const row = z.object({ kind: z.enum(kinds), count: z.number() })

/** The id is a day, as 2026-11-05: what failed on it, and still waits for the author on the next morning. */
export const failures: AuthorEmail = {
  setting: 'failures',
  async compose({ db, settings }, day, siteUrl) {
    const { time_zone } = settings.get().shop
    const isOfDay = (moment: SQL) =>
      sql`${moment} >= ${midnight(day, time_zone)} and ${moment} < ${midnight(day, time_zone, 1)}`
    const found = await queryAll(
      db,
      row,
      sql`
      select kind, count(*) from (
        select 'mail' as kind from mails where ${isOfDay(sql`given_up_at`)}
        union all
        select 'held' from checkouts
        where held_reason is not null and dismissed_at is null and ${isOfDay(sql`created_at`)}
        union all
        select 'refund' from refund_requests
        where status = 'refused' and dismissed_at is null and ${isOfDay(sql`created_at`)}
        union all
        select 'refund_failed' from failed_refunds where dismissed_at is null and ${isOfDay(sql`created_at`)}
        union all
        select 'event' from payment_events
        where problem is not null and handled_at is null and ${isOfDay(sql`received_at`)}
        union all
        select 'lost_file' from product_files where ${isOfDay(sql`lost_at`)}
      ) failed group by kind order by kind`,
    )
    if (found.length === 0) return undefined
    const texts = emailsTexts.author.failures
    const title = fill(texts.title, { date: dateOf(day) })
    return {
      subject: title,
      title,
      preview: found.map(({ kind }) => texts.kinds[kind]).join(', '),
      children: [
        paragraph(texts.text),
        facts(found.map(({ kind, count }) => [texts.kinds[kind], `${count}`] as const)),
        button(texts.button, `${siteUrl}/admin/payments`),
      ],
    }
  },
}
