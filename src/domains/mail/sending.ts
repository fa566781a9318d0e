// The job that composes and sends an email: its retries, its failures, and the mails that were given up.
import { SlowAnswer, UnknownOutcome } from '#platform/mail.ts'
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { defineJob, PermanentFailure, Postponed, type Job, type JobAttempt } from '#platform/queue.ts'
import { mailKinds, type MailKind } from '#contract/mail/mail-kinds.ts'
import type { MailBranding } from './email-layout.ts'
import { mails } from '#tables/mail.ts'
import type { MailShop, OutgoingMail } from './shop.ts'
import { hideInText } from './mail-secrets.ts'
import { retentionDays } from './mail-retention.ts'

type MailJob<Payload, Kind, Shop> = Pick<Job<Payload>, 'name' | 'payload'> & {
  kinds: readonly Kind[]
  /** Runs before the email is composed, and again at each retry. */
  before?: (services: Shop, payload: Payload) => Promise<void>
  /** Undefined where there is nothing to send any more. It may run weeks after the job was enqueued. */
  compose: (
    services: Shop,
    payload: Payload,
    branding: MailBranding,
  ) => Promise<OutgoingMail<Kind> | undefined>
}

export function defineMailJob<Payload, Kind extends MailKind, Shop extends MailShop = MailShop>({
  name,
  payload,
  kinds,
  before,
  compose,
}: MailJob<Payload, Kind, Shop>) {
  return defineJob({
    name,
    payload,
    ...(kinds.some((kind) => mailKinds[kind] !== 'expires') && { retentionDays }),
    async run(services: Shop & MailShop, request, attempt) {
      if (attempt.number > 1 && (await isSent(services, attempt))) return
      const refusal = attempt.number > 1 ? await findRefusal(services, attempt) : undefined
      if (refusal) throw new PermanentFailure(refusal)
      await before?.(services, request)
      const mail = await services.composeMail((branding) => compose(services, request, branding))
      if (mail) await post(services, attempt, mail)
    },
  })
}

/**
 * Sends at least once: a crash between sending and writing sends again, under the same Message-ID.
 * A failure is saved in `mails` and thrown, so that the job is tried again. A mail server that has not answered, or did
 * not say whether it took the email, is tried once more after an hour.
 */
export async function post(
  { db, mail, clock, log, queue }: MailShop,
  attempt: JobAttempt,
  { kind, email, purchase_id, message_id, isUnimportant = false }: OutgoingMail,
): Promise<void> {
  // The account was erased meanwhile.
  if (!email.to.includes('@')) return
  const { secrets } = email
  const isSaved = mailKinds[kind] !== 'expires'
  const body = isSaved && secrets ? hideInText(email.text, { secrets, isRecipient: false }) : null
  const about = {
    id: attempt.id,
    kind,
    recipient: email.to,
    subject: email.storedSubject ?? email.subject,
    body,
    purchase_id,
    message_id,
  }
  const save = (outcome: Pick<typeof mails.$inferInsert, 'status' | 'error' | 'sent_at' | 'given_up_at'>) =>
    db
      .insert(mails)
      .values({ ...about, ...outcome, attempts: attempt.number })
      // The recipient and subject of an unsent one may have changed since.
      .onConflictDoUpdate({
        target: mails.id,
        set: { ...about, ...outcome, queued_at: null, attempts: sql`excluded.attempts` },
      })
  const saveSent = (response: string | undefined) =>
    save({
      ...(response === undefined
        ? { status: 'unsent', sent_at: null }
        : { status: 'sent', sent_at: clock() }),
      error: null,
      given_up_at: null,
    })
  /** Records the outcome of an attempt whose job was postponed. */
  const follow = async ({ outcome }: SlowAnswer, isLast: boolean) => {
    try {
      await saveSent(await outcome)
    } catch (error) {
      if (error instanceof UnknownOutcome) return
      const isRefused = error instanceof PermanentFailure && !isUnimportant
      await save({
        status: 'failed',
        error: errorText(error),
        given_up_at: (isRefused || isLast) && !isUnimportant ? clock() : null,
      })
      // A job that ran at once would ask a server that answers slowly again and again.
      if (!isRefused)
        return error instanceof PermanentFailure ? undefined : queue.forgetPostponed(db, attempt.id)
    }
    await queue.runSoon(db, attempt.id)
  }
  let response: string | undefined
  try {
    response = await mail.send(email, attempt.id)
  } catch (error) {
    if (error instanceof SlowAnswer || error instanceof UnknownOutcome) {
      const isLast = attempt.isLast || attempt.wasPostponed === true
      const first = error instanceof SlowAnswer ? 'yet' : 'once'
      const reason = unanswered[attempt.wasPostponed ? 'twice' : isLast ? 'last' : first]
      log.warn({ kind, purchase_id, attempt: attempt.number, reason }, 'a mail server did not answer')
      await save({
        status: 'failed',
        error: reason,
        given_up_at: isLast && !isUnimportant ? clock() : null,
      })
      if (error instanceof SlowAnswer)
        follow(error, isLast).catch((err: unknown) =>
          log.error({ err }, 'what came of a slow mail was not saved'),
        )
      throw isLast ? new PermanentFailure(reason) : new Postponed(reason)
    }
    const reason = errorText(error)
    log.warn({ kind, purchase_id, attempt: attempt.number, reason }, 'a mail could not be sent')
    const isGivenUp = attempt.isLast || error instanceof PermanentFailure
    await save({ status: 'failed', error: reason, given_up_at: isGivenUp && !isUnimportant ? clock() : null })
    throw error
  }
  await saveSent(response)
}

const errorText = (error: unknown) => (error instanceof Error ? error.message : String(error))

const unanswered = {
  yet: 'The mail server has not answered yet. If it never does, the email is tried once more in an hour.',
  once: 'The mail server did not say whether it took the email. It is tried once more in an hour.',
  last: 'The mail server did not say whether it took the email. It may have arrived.',
  twice: 'The mail server did not say whether it took the email, twice. It may have arrived.',
}

export async function isSent({ db }: MailShop, { id }: JobAttempt): Promise<boolean> {
  return (await db.$count(mails, and(eq(mails.id, id), ne(mails.status, 'failed')))) > 0
}

/** Returns the refusal of a mail that was refused for good after its job was postponed: the job ends. */
export async function findRefusal({ db }: MailShop, { id }: JobAttempt): Promise<string | undefined> {
  const isGivenUp = and(eq(mails.id, id), isNotNull(mails.given_up_at))
  const [mail] = await db.select({ error: mails.error }).from(mails).where(isGivenUp)
  return mail?.error ?? undefined
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
