// Emails to many readers: rows of a table, which the queue takes at the pace that the author's mail server bears.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { defineJob, PermanentFailure, type Job, type JobAttempt } from '#platform/job.ts'
import type { Email } from '#platform/mail.ts'
import type { BulkOutcome, MailKind } from '#contract/mail/mail-kinds.ts'
import type { MailBranding } from './email-layout.ts'
import { isSent, post } from './sending.ts'
import { retentionDays } from './mail-log.ts'
import type { MailShop } from './shop.ts'

/** Of a row. With `queued_at` null it has its turn again. */
type BulkState = { outcome: BulkOutcome } | { queued_at: null; mail_id: null }

type BulkMailJob<Payload> = Pick<Job<Payload>, 'name' | 'payload'> & {
  kind: MailKind
  compose: (services: MailShop, payload: Payload, branding: MailBranding) => Promise<Email | undefined>
  save: (db: Db, payload: Payload, state: BulkState) => Promise<void>
}

/**
 * One after the other, so that a crash repeats at most the one in flight, and receipts, which have workers of their own,
 * never wait behind these.
 */
export function defineBulkMailJob<Payload>({ name, payload, kind, compose, save }: BulkMailJob<Payload>) {
  /** Undefined where there is no mail server any more. */
  async function send(services: MailShop, target: Payload, attempt: JobAttempt) {
    if (services.mail.isKept()) return undefined
    const email = await services.composeMail((branding) => compose(services, target, branding))
    if (!email) return 'skipped'
    try {
      await post(services, attempt, { kind, email, isUnimportant: true })
      return 'sent'
    } catch (error) {
      if (attempt.isLast || error instanceof PermanentFailure)
        await save(services.db, target, { outcome: 'failed' })
      throw error
    }
  }
  return defineJob({
    name,
    payload,
    isSequential: true,
    retentionDays,
    async run(services: MailShop, request, attempt) {
      const isRepeated = attempt.number > 1 && (await isSent(services, attempt))
      const outcome = isRepeated ? 'sent' : await send(services, request, attempt)
      await save(services.db, request, outcome ? { outcome } : { queued_at: null, mail_id: null })
    },
  })
}

export type BulkList = {
  /** Marks the next rows as queued, and enqueues a job for each. */
  take: (tx: Transaction, services: MailShop, limit: number) => Promise<number>
}

/** Minutes' worth of emails: while so many wait for a retry, the mail server is in trouble, and no more are added. */
const maxMinutesUnderWay = 10

const load = z.object({ last_hour: z.number(), under_way: z.number() })

/**
 * Once a minute: hands the next emails of the lists to the queue, evenly over the hour and together never more than the
 * author's limit. In one transaction with their jobs, so that after a crash each is either waiting or a job.
 */
export async function queueBulkMails(services: MailShop, lists: readonly BulkList[]): Promise<void> {
  const { db, mail, settings, clock } = services
  if (mail.isKept()) return
  const { bulk_per_hour } = settings.get().mail
  const hourAgo = new Date(clock().getTime() - 3_600_000)
  await db.transaction(async (tx) => {
    // Of several processes, one counts at a time.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern edition mails'))`)
    const { last_hour, under_way } = await queryOne(
      tx,
      load,
      sql`
        with queued as (
          select queued_at, outcome from edition_mails where queued_at > ${hourAgo} or queued_at is not null and outcome is null
          union all
          select queued_at, outcome from release_mails where queued_at > ${hourAgo} or queued_at is not null and outcome is null
          union all
          select queued_at, outcome from release_waitlist where queued_at > ${hourAgo} or queued_at is not null and outcome is null)
        select count(*) filter (where queued_at > ${hourAgo}) as last_hour,
          count(*) filter (where outcome is null) as under_way from queued`,
    )
    const perMinute = Math.ceil(bulk_per_hour / 60)
    const room = maxMinutesUnderWay * perMinute - under_way
    let left = Math.min(perMinute, bulk_per_hour - last_hour, room)
    for (const list of lists) if (left > 0) left -= await list.take(tx, services, left)
  })
}
