// Emails that were not sent because no mail server was set: sends them once one is, and reads those of this machine's outbox.
import { eq, sql, type SQL, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { isoTime, queryAll, queryOne } from '#platform/db/query.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { findInOutbox, type OutboxMail } from '#platform/mail.ts'
import { platformProblem } from '#platform/problem.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import { mails } from '#tables/mail.ts'
import { mailProblem, type MailShop, type MailsOfOrders } from './shop.ts'
import type { Services } from '#platform/services.ts'
import { html as asPage } from 'hono/html'
import { readLink, writeLink, type WithSessions } from '#platform/signed-links.ts'
import { hideInHtml, hideInText } from './mail-secrets.ts'

/** The rest is sent by the next press. */
const maxAtOnce = 500

const kindsSent = (rule: 'each' | 'newest') =>
  sql.param(Object.entries(mailKinds).flatMap(([kind, each]) => (each === rule ? [kind] : [])))

/** Takes mails as `m`: none whose job has not ended, and of kinds with the rule `newest` none where a later one was sent. */
function isSendable({ isDone }: Pick<Services['queue'], 'isDone'>, isStillOwed: SQL) {
  return sql`m.status = 'unsent' and m.queued_at is null and ${isDone(sql`m.id`)} and ${isStillOwed} and (
    m.kind = any(${kindsSent('each')}::text[])
    or m.kind = any(${kindsSent('newest')}::text[]) and not exists (
      select from mails later where later.purchase_id = m.purchase_id and later.kind = m.kind
        and later.status <> 'failed' and later.created_at > m.created_at))`
}

const waiting = z.object({ count: z.number(), oldest_at: isoTime.nullable() })

export async function findSendable({ db, queue }: MailShop, isStillOwed: SQL) {
  const query = sql`select count(*), min(m.created_at) as oldest_at from mails m where ${isSendable(queue, isStillOwed)}`
  const { count, oldest_at } = await queryOne(db, waiting, query)
  return oldest_at === null ? null : { count, oldest_at }
}

/** Each once, by the job that has kept it, which composes it as of now. */
export async function sendUnsentMails(
  { db, queue, mail, clock }: MailShop,
  actor: Actor,
  { isStillOwed }: Pick<MailsOfOrders, 'isStillOwed'>,
): Promise<{ count: number }> {
  if (!mail.sendsMail()) throw mailProblem('mails.not_set_up')
  return db.transaction(async (tx) => {
    // The second of two admins at the same moment waits here and then finds none.
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
        action: 'mails.sent_later',
        subject: `${count === 1 ? '1 email that was' : `${count} emails that were`} written before mail was set up`,
      })
    return { count }
  })
}

/** Reads a mail whose file is in this machine's outbox; undefined where another one has it. */
export async function readUnsent(
  shop: MailShop,
  reader: SignedInUser,
  row: { id: string; body: string | null },
) {
  const file = await findInOutbox(shop.config, row.id)
  if (!file) return undefined
  const { text, isOwn, hidesLinks } = await shownOf(file, reader.email, row.body)
  const holder = { user_id: reader.id, session_id: reader.session_id }
  return {
    text,
    file: {
      path: file.path,
      from: file.from,
      reply_to: file.replyTo ?? null,
      is_own: isOwn,
      hides_links: hidesLinks,
      page_url: `/api/mails/${writeLink(shop, 'mails', holder, row.id)}`,
    },
  }
}

export async function openMailPage(
  shop: MailShop & WithSessions,
  token: string,
): Promise<{ html: string; isOwn: boolean }> {
  const { content: id, holder } = await readLink(shop, 'mails', token, z.uuid())
  if (!holder.is_admin) throw platformProblem('access.forbidden')
  const file = await findInOutbox(shop.config, id)
  const [row] = await shop.db.select({ body: mails.body }).from(mails).where(eq(mails.id, id))
  if (!file || !row) throw platformProblem('request.not_found')
  return shownOf(file, holder.email, row.body)
}

/**
 * Leaves links to the recipient. A link that signs in or opens something works from the mailbox only, the admin's own
 * included: else a stolen session could take the account over. A mail that does not name its secrets is shown as its saved
 * text alone.
 */
async function shownOf({ to, html, text, secrets }: OutboxMail, reader: string, saved: string | null) {
  const isOwn = to.toLowerCase() === reader.toLowerCase()
  if (!secrets) {
    const page = await asPage`<pre>${saved}</pre>`
    return { html: page.toString(), text: saved, isOwn, hidesLinks: true }
  }
  const reading = { secrets, isRecipient: isOwn }
  const shown = { html: await hideInHtml(html, reading), text: hideInText(text, reading) }
  return { ...shown, isOwn, hidesLinks: shown.text !== text || shown.html !== html }
}
