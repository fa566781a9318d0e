// Sending an email from a job, and storing the result.
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import type { Email } from '#platform/mail.ts'
import { mails } from './schema.ts'
import { PermanentFailure, type JobAttempt } from '#platform/job.ts'
import type { Services } from '../../services.ts'

type Posting = {
  kind: string
  email: Email
  purchase_id?: string
  /** When it fails for good, it needs no attention. */
  isUnimportant?: boolean
}

/**
 * Sends at least once: a crash between sending and writing sends again, under the same Message-ID.
 * A failure is stored in `mails` and thrown, so that the job is tried again.
 */
export async function post(
  { db, mail, clock, log }: Pick<Services, 'db' | 'mail' | 'clock' | 'log'>,
  attempt: JobAttempt,
  { kind, email, purchase_id, isUnimportant = false }: Posting,
): Promise<void> {
  const about = { id: attempt.id, kind, recipient: email.to, subject: email.subject, purchase_id }
  const keep = (outcome: Pick<typeof mails.$inferInsert, 'status' | 'error' | 'sent_at' | 'given_up_at'>) =>
    db
      .insert(mails)
      .values({ ...about, ...outcome, attempts: attempt.number })
      // One that was kept is written anew: its recipient and its subject may be others by now.
      .onConflictDoUpdate({
        target: mails.id,
        set: { ...about, ...outcome, queued_at: null, attempts: sql`excluded.attempts` },
      })
  let answer: string | undefined
  try {
    answer = await mail.send(email, attempt.id)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ kind, purchase_id, attempt: attempt.number, reason }, 'a mail could not be sent')
    const isGivenUp = attempt.isLast || error instanceof PermanentFailure
    await keep({ status: 'failed', error: reason, given_up_at: isGivenUp && !isUnimportant ? clock() : null })
    throw error
  }
  const outcome =
    answer === undefined
      ? { status: 'kept' as const, sent_at: null }
      : { status: 'sent' as const, sent_at: clock() }
  await keep({ ...outcome, error: null, given_up_at: null })
}

/** Whether an earlier attempt has sent it, or kept it in the outbox. */
export async function isSent({ db }: Pick<Services, 'db'>, { id }: JobAttempt): Promise<boolean> {
  return (await db.$count(mails, and(eq(mails.id, id), ne(mails.status, 'failed')))) > 0
}

/** Takes a mail that was given up off the list of what needs attention, until its last retry fails again. */
export async function takeFailedMail(
  tx: Transaction,
  id: string,
): Promise<{ recipient: string } | undefined> {
  const [mail] = await tx
    .update(mails)
    .set({ given_up_at: null })
    .where(and(eq(mails.id, id), isNotNull(mails.given_up_at)))
    .returning({ recipient: mails.recipient })
  return mail
}
