import { inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isoTime, queryAll, queryOne } from '#platform/db/query.ts'
import { mailProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import { mails } from '#tables/mails.ts'

/** The rest is sent by the next press. */
const maxAtOnce = 500

const kindsSent = (rule: 'each' | 'newest') =>
  sql.param(Object.entries(mailKinds).flatMap(([kind, each]) => (each === rule ? [kind] : [])))

/** Of mails as `m`: none whose job has not ended, and of kinds with the rule `newest` none where a later one was sent. */
function isSendable({ isDone }: Pick<Services['queue'], 'isDone'>, isStillOwed: SQL) {
  return sql`m.status = 'kept' and m.queued_at is null and ${isDone(sql`m.id`)} and ${isStillOwed} and (
    m.kind = any(${kindsSent('each')}::text[])
    or m.kind = any(${kindsSent('newest')}::text[]) and not exists (
      select from mails later where later.purchase_id = m.purchase_id and later.kind = m.kind
        and later.status <> 'failed' and later.created_at > m.created_at))`
}

const found = z.object({ count: z.number(), oldest_at: isoTime.nullable() })

export async function findSendable({ db, queue }: Pick<Services, 'db' | 'queue'>, isStillOwed: SQL) {
  const query = sql`select count(*), min(m.created_at) as oldest_at from mails m where ${isSendable(queue, isStillOwed)}`
  const { count, oldest_at } = await queryOne(db, found, query)
  return oldest_at === null ? null : { count, oldest_at }
}

/** Each once, by the job that has kept it, which composes it as of now. */
export async function sendKeptMails(
  { db, queue, mail, clock }: Pick<Services, 'db' | 'queue' | 'mail' | 'clock'>,
  actor: Actor,
  isStillOwed: SQL,
): Promise<{ count: number }> {
  if (mail.isKept()) throw mailProblem('mails.not_set_up')
  return db.transaction(async (tx) => {
    // Of two admins at the same moment, the second waits here and then finds none.
    const query = sql`
      update mails set queued_at = ${clock()} where id in (
        select m.id from mails m where ${isSendable(queue, isStillOwed)} order by m.created_at, m.id limit ${maxAtOnce} for update of m)
      returning id`
    const taken = await queryAll(tx, z.object({ id: z.string() }), query)
    const gone: string[] = []
    for (const { id } of taken) if (!(await queue.runAgain(tx, id))) gone.push(id)
    if (gone.length > 0) await tx.update(mails).set({ queued_at: null }).where(inArray(mails.id, gone))
    const count = taken.length - gone.length
    if (count > 0)
      await recordAuditEvent(tx, actor, {
        action: 'mails.kept_sent',
        subject: count === 1 ? '1 mail' : `${count} mails`,
      })
    return { count }
  })
}
