// How an email is sent, shown to an admin and deleted again.
import { html } from 'hono/html'
import { type Secret, outboxFolder, SlowAnswer, UnknownOutcome } from '#platform/mail.ts'
import { and, eq, isNotNull, ne, sql, isNull, lt } from 'drizzle-orm'
import type { Transaction, Db } from '#platform/db/client.ts'
import { defineJob, PermanentFailure, Postponed, type Job, type JobAttempt } from '#platform/queue.ts'
import { mailKinds, type MailKind } from '#contract/mail/mails.ts'
import { type MailBranding, link, quiet, renderEmail } from './email-layout.ts'
import { mails } from '#tables/mail.ts'
import type { MailShop, OutgoingMail } from './shop.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { authorEmailNames, type AuthorEmailName } from '#contract/settings/settings.ts'
import { deleteBatches } from '#platform/db/query.ts'
import { removeOldFiles } from '#platform/data-folders.ts'
import type { Services } from '#platform/services.ts'

// Emails on a screen, without what is a right of the recipient's: a code, or what a link carries.

type Reading = { secrets: readonly Secret[]; isRecipient: boolean }

export function hideInText(page: string, reading: Reading): string {
  return hidden(reading).reduce((rest, { text, shown }) => rest.replaceAll(text, shown), page)
}

const linkAttribute = / href="([^"]*)"/g

/** Also takes out the links themselves; all of them for another reader than the recipient. */
export async function hideInHtml(page: string, reading: Reading): Promise<string> {
  const secrets = await Promise.all(
    hidden(reading).map(async ({ text, shown }) => ({ shown, text: (await html`${text}`).toString() })),
  )
  const isShown = (link: string) => reading.isRecipient && !secrets.some(({ text }) => text === link)
  const withoutLinks = page.replaceAll(linkAttribute, (attribute, link: string) =>
    isShown(link) ? attribute : '',
  )
  return secrets.reduce((rest, { text, shown }) => rest.replaceAll(text, shown), withoutLinks)
}

/** The longest first, as one may be the beginning of another. */
function hidden({ secrets, isRecipient }: Reading): Secret[] {
  const all = secrets.filter(({ isForRecipient }) => !isRecipient || !isForRecipient)
  return all.toSorted((a, b) => b.text.length - a.text.length)
}

type MailJob<Payload, Kind, Shop> = Pick<Job<Payload>, 'name' | 'payload'> & {
  kinds: readonly Kind[]
  /** Before it is composed, and again at each retry. */
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
      // Of one that was kept, recipient and subject may have changed since.
      .onConflictDoUpdate({
        target: mails.id,
        set: { ...about, ...outcome, queued_at: null, attempts: sql`excluded.attempts` },
      })
  const saveSent = (response: string | undefined) =>
    save({
      ...(response === undefined ? { status: 'kept', sent_at: null } : { status: 'sent', sent_at: clock() }),
      error: null,
      given_up_at: null,
    })
  /** What comes of an attempt after its job was postponed. */
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
      // At once, it would be asked again and again by a server that answers slowly.
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

/** Of one that was refused for good after its job was postponed: the job ends. */
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

// Emails that tell the author what happened in the shop, but for the message that a visitor writes. What each says comes
// from the domain that knows it: the worker has all of them as `authorEmails`.

export const authorEmailJob = defineMailJob({
  name: 'mail.author',
  kinds: ['author'],
  payload: z.object({ name: z.enum(authorEmailNames), id: z.string() }),
  async compose(services: MailShop, { name, id }, branding) {
    const { setting, compose } = services.authorEmails[name]
    if (!services.settings.get().author_emails[setting]) return undefined
    const content = await compose(services, id, branding.siteUrl)
    if (!content) return undefined
    const settings = link(emailsTexts.author.choose, `${branding.siteUrl}/admin/mails/to-you`)
    const email = await renderEmail({
      ...content,
      branding,
      children: [...content.children, quiet(settings)],
    })
    return { kind: 'author', email: { ...email, to: branding.authorEmail } }
  },
})

/** Once for each name and id, however often it is called. */
export function notifyAuthor(
  db: Db | Transaction,
  { queue }: Pick<MailShop, 'queue'>,
  name: AuthorEmailName,
  id: string,
): Promise<void> {
  const hash = createHash('sha256').update(`${authorEmailJob.name} ${name} ${id}`).digest('hex')
  // A UUID of version 8 (RFC 9562): its bits are the application's.
  const jobId = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
  return queue.enqueue(db, authorEmailJob, { name, id }, { id: jobId })
}

// How long emails stay, and the deletion of old ones: of sent ones the rows, of unsent ones the files in the outbox, too.

export const retentionDays = 90

export const oldestMail = (clock: Services['clock']) =>
  new Date(clock().getTime() - retentionDays * 24 * 3_600_000)

/** Rows of a purchase stay, without the text, as evidence for its buyer's bank; one that was given up, until the author has dismissed it. */
export async function sweepMails({ db, clock }: MailShop): Promise<void> {
  const isOld = and(
    isNull(mails.purchase_id),
    lt(mails.created_at, oldestMail(clock)),
    isNull(mails.given_up_at),
  )
  await deleteBatches(db, mails.id, isOld)
  const hasOldBody = and(isNotNull(mails.body), lt(mails.created_at, oldestMail(clock)))
  await db.update(mails).set({ body: null }).where(hasOldBody)
}

export async function sweepOutbox({ config, clock }: MailShop): Promise<void> {
  await removeOldFiles(outboxFolder(config), oldestMail(clock))
}
