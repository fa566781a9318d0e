import { eq, sql, type SQL } from 'drizzle-orm'
import { queryFirst } from '#platform/db/query.ts'
import { z } from 'zod'
import { platformProblem } from '#platform/problem.ts'
import { mailProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { isRepeatable } from './mail-log.ts'
import { mails } from '#tables/mails.ts'

const pauseInMinutes = 2

const taken = z.object({ recipient: z.string(), is_repeatable: z.boolean(), is_just_sent: z.boolean() })

/** A new email by a new job, composed as of now. Of two presses at once, the second finds the first. */
export async function sendAgain(
  { db, queue, mail, clock }: Pick<Services, 'db' | 'queue' | 'mail' | 'clock'>,
  actor: Actor,
  id: string,
  isStillOwed: SQL,
): Promise<void> {
  if (mail.isKept()) throw mailProblem('mails.not_set_up')
  await db.transaction(async (tx) => {
    const found = await queryFirst(
      tx,
      taken,
      sql`
        select m.recipient, ${isRepeatable(isStillOwed)} as is_repeatable,
          coalesce(greatest(m.sent_at, m.repeated_at) > ${clock()}::timestamptz - make_interval(mins => ${pauseInMinutes}), false) as is_just_sent
        from mails m where m.id = ${id} for update of m`,
    )
    if (!found) throw platformProblem('request.not_found')
    if (!found.is_repeatable) throw mailProblem('mails.not_repeatable')
    if (found.is_just_sent) throw mailProblem('mails.just_sent')
    if (!(await queue.repeat(tx, id))) throw mailProblem('mails.too_old')
    await tx.update(mails).set({ repeated_at: clock() }).where(eq(mails.id, id))
    await recordAuditEvent(tx, actor, {
      action: 'mails.sent_again',
      subject: found.recipient,
      subject_id: id,
    })
  })
}
