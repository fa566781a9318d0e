// Emails that go to many, or on a day: rows of one table, which a job sends when they are due, at the pace that the
// author's mail server bears.
import { and, eq, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { hourMs } from '#contract/durations.ts'
import { scheduledKinds, type ScheduledKind, type ScheduledOutcome } from '#contract/mail/mail-kinds.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { defineJob, PermanentFailure, type JobAttempt } from '#platform/queue.ts'
import { scheduled_emails } from '#tables/mail.ts'
import { retentionDays } from './mail-retention.ts'
import { findRefusal, isSent, post } from './sending.ts'
import type { MailShop } from './shop.ts'

/**
 * `recipients` selects `about`, `user_id` and `version`. Who is scheduled already stays so, once.
 * Where it has to leave at once, `queueScheduledEmails` follows the transaction.
 */
export async function scheduleEmails(
  tx: Transaction,
  kind: ScheduledKind,
  recipients: SQL,
  due_at: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into scheduled_emails (kind, about, user_id, version, due_at)
    select ${kind}::text, r.about, r.user_id, r.version, ${due_at}::timestamptz
    from (${recipients}) r (about, user_id, version)
    on conflict do nothing`)
}

export async function scheduleEmail(
  tx: Transaction,
  kind: ScheduledKind,
  { about, version }: { about: string; version: string },
  due_at: Date,
): Promise<void> {
  await scheduleEmails(tx, kind, sql`select ${about}::uuid, null::uuid, ${version}::text`, due_at)
}

/** Those that were not enqueued yet. */
const isWaiting = and(isNull(scheduled_emails.queued_at), isNull(scheduled_emails.outcome))

const isAbout = (kind: ScheduledKind, about: string) =>
  and(eq(scheduled_emails.kind, kind), eq(scheduled_emails.about, about))

export async function cancelEmails(tx: Transaction, kind: ScheduledKind, about: string): Promise<void> {
  await tx.delete(scheduled_emails).where(and(isAbout(kind, about), isWaiting))
}

/** Deletes sent ones, too, so that the same can be scheduled once more. */
export async function deleteEmails(tx: Transaction, kind: ScheduledKind, about: string): Promise<void> {
  await tx.delete(scheduled_emails).where(isAbout(kind, about))
}

/** `due_at`: null stops them. */
export async function setDue(
  tx: Transaction,
  kind: ScheduledKind,
  about: string,
  due_at: Date | null,
): Promise<void> {
  await tx
    .update(scheduled_emails)
    .set({ due_at })
    .where(and(isAbout(kind, about), isWaiting))
}

const counts = z.object({
  waiting: z.number(),
  under_way: z.number(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
})

export function countEmails(db: Db, kind: ScheduledKind, about: string) {
  return queryOne(
    db,
    counts,
    sql`
      select count(*) filter (where queued_at is null and outcome is null) as waiting,
        count(*) filter (where queued_at is not null and outcome is null) as under_way,
        count(*) filter (where outcome = 'sent') as sent,
        count(*) filter (where outcome = 'skipped') as skipped,
        count(*) filter (where outcome = 'failed') as failed
      from scheduled_emails where kind = ${kind} and about = ${about}`,
  )
}

/**
 * One after the other, so that a crash repeats at most the one in flight, and receipts, which have workers of their own,
 * never wait behind these.
 */
export const scheduledEmailJob = defineJob({
  name: 'mail.scheduled',
  payload: z.object({ id: z.uuid() }),
  isSequential: true,
  retentionDays,
  async run(services: MailShop, { id }, attempt) {
    const { db } = services
    const [row] = await db.select().from(scheduled_emails).where(eq(scheduled_emails.id, id))
    // Scheduled anew since, by a row or a job of its own. What the author sends once more has another job.
    if (!row || (row.outcome === null && row.mail_id !== attempt.id)) return
    // The first attempt looks, too: the job of a process that has died may have gone on under this id.
    const outcome = (await isSent(services, attempt)) ? 'sent' : await send(services, row, attempt)
    if (outcome) return saveOutcome(services, row, outcome)
    await db
      .update(scheduled_emails)
      .set({ queued_at: null, mail_id: null })
      .where(eq(scheduled_emails.id, id))
  },
})

type ScheduledRow = typeof scheduled_emails.$inferSelect

/** Undefined where there is no mail server any more. */
async function send(services: MailShop, row: ScheduledRow, attempt: JobAttempt) {
  if (!services.mail.sendsMail()) return undefined
  const refusal = attempt.number > 1 ? await findRefusal(services, attempt) : undefined
  if (refusal) {
    await saveOutcome(services, row, 'failed')
    throw new PermanentFailure(refusal)
  }
  const { compose, isBulk } = services.scheduledEmails[row.kind]
  const mail = await services.composeMail((branding) => compose(services.db, row, branding))
  if (!mail) return 'skipped'
  try {
    await post(services, attempt, { ...mail, email: { ...mail.email, isBulk } })
    return 'sent'
  } catch (error) {
    if (attempt.isLast || error instanceof PermanentFailure) await saveOutcome(services, row, 'failed')
    throw error
  }
}

/** One that was sent stays so, whatever comes of its repetition. */
async function saveOutcome(
  { db, clock, scheduledEmails }: MailShop,
  { id, kind, ...email }: ScheduledRow,
  outcome: ScheduledOutcome,
): Promise<void> {
  const now = clock()
  const isUnsent = or(isNull(scheduled_emails.outcome), ne(scheduled_emails.outcome, 'sent'))
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(scheduled_emails)
      .set({ outcome, settled_at: now })
      .where(and(eq(scheduled_emails.id, id), isUnsent))
    if (rowCount) await scheduledEmails[kind].onOutcome?.(tx, email, outcome, now)
  })
}

/** Minutes' worth of emails: while so many wait for a retry, the mail server is in trouble, and no more are added. */
const maxMinutesUnderWay = 10

/** The number of those without the author's limit; the rest follows a minute later. */
const maxAtOnce = 200

const load = z.object({ last_hour: z.number(), under_way: z.number() })

/**
 * Once a minute: enqueues the jobs of what is due, of that to many evenly over the hour and never more than the author's
 * limit. In one transaction with their jobs, so that after a crash each is either waiting or a job.
 */
export async function queueScheduledEmails(services: MailShop): Promise<void> {
  const { db, mail, settings, clock, scheduledEmails } = services
  if (!mail.sendsMail()) return
  const { bulk_per_hour } = settings.get().mail
  const now = clock()
  const hourAgo = new Date(now.getTime() - hourMs)
  const bulkKinds = scheduledKinds.filter((kind) => scheduledEmails[kind].isBulk)
  await db.transaction(async (tx) => {
    // One of several processes counts at a time.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern scheduled emails'))`)
    const { last_hour, under_way } = await queryOne(
      tx,
      load,
      sql`
        select count(*) filter (where queued_at > ${hourAgo}) as last_hour,
          count(*) filter (where outcome is null) as under_way
        from scheduled_emails where kind = any(${sql.param(bulkKinds)}::text[])
          and (queued_at > ${hourAgo} or queued_at is not null and outcome is null)`,
    )
    const perMinute = Math.ceil(bulk_per_hour / 60)
    const room = maxMinutesUnderWay * perMinute - under_way
    let left = Math.min(perMinute, bulk_per_hour - last_hour, room)
    for (const kind of scheduledKinds) {
      const { isBulk } = scheduledEmails[kind]
      const limit = isBulk ? left : maxAtOnce
      const taken = limit > 0 ? await takeDue(tx, services, { kind, limit, now }) : 0
      if (isBulk) left -= taken
    }
  })
}

const taken = z.object({ id: z.string(), mail_id: z.string() })

async function takeDue(
  tx: Transaction,
  { queue, scheduledEmails }: MailShop,
  { kind, limit, now }: { kind: ScheduledKind; limit: number; now: Date },
): Promise<number> {
  const rows = await queryAll(
    tx,
    taken,
    sql`
      update scheduled_emails set queued_at = ${now}, mail_id = coalesce(mail_id, gen_random_uuid())
      where id in (
        select id from scheduled_emails
        where kind = ${kind} and queued_at is null and outcome is null and due_at <= ${now}
        order by due_at, id limit ${limit} for update skip locked)
      returning id, mail_id`,
  )
  // An email of one buyer to one reader does not wait behind those that go to many.
  const priority = scheduledEmails[kind].isBulk ? 0 : 1
  for (const { id, mail_id } of rows)
    await queue.enqueue(tx, scheduledEmailJob, { id }, { id: mail_id, priority })
  return rows.length
}
