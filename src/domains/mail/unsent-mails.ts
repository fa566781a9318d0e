// Reads emails that were not sent because no mail server was set, from the outbox of this machine.
import { inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isoTime, queryAll, queryOne } from '#platform/db/query.ts'
import { mailProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import { mails } from '#tables/mail.ts'
import { html as asPage } from 'hono/html'
import type { Db } from '#platform/db/client.ts'
import { readCursor, toPage } from '#platform/http/cursors.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { keptMailName, listOutbox, outboxFolder, readFromOutbox, type OutboxMail } from '#platform/outbox.ts'
import { platformProblem } from '#platform/problem.ts'
import { readLink, writeLink, type WithSessions } from '#platform/signed-links.ts'
import { hideInHtml, hideInText } from './sending.ts'
import type { KeptMail, KeptMails, KeptMailsRequest, KeptMailSummary } from '#contract/mail/mails.ts'
import type { MailShop } from './shop.ts'

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

const waiting = z.object({ count: z.number(), oldest_at: isoTime.nullable() })

async function findSendable({ db, queue }: MailShop, isStillOwed: SQL) {
  const query = sql`select count(*), min(m.created_at) as oldest_at from mails m where ${isSendable(queue, isStillOwed)}`
  const { count, oldest_at } = await queryOne(db, waiting, query)
  return oldest_at === null ? null : { count, oldest_at }
}

/** Each once, by the job that has kept it, which composes it as of now. */
export async function sendKeptMails(
  { db, queue, mail, clock }: MailShop,
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

const pageSize = 25

export async function listKeptMails(
  services: MailShop,
  { after }: KeptMailsRequest,
  isStillOwed: SQL,
): Promise<KeptMails> {
  const { config, mail } = services
  const last = readCursor(after, keptMailName)
  const names = (await listOutbox(config)).filter((name) => last === undefined || name < last)
  const itself = (name: string) => name
  const page = toPage(names.slice(0, pageSize + 1), pageSize, { item: itself, key: itself })
  const read = await Promise.all(
    page.items.map(async (name) => ({ name, kept: await readFromOutbox(config, name) })),
  )
  const items = read.flatMap(({ name, kept }) => (kept ? [{ name, kept }] : []))
  const ids = items.map(({ kept }) => kept.id)
  const rows = await findRows(services.db, ids)
  return {
    items: items.map(({ name, kept }) => summaryOf(name, kept, rows)),
    next: page.next,
    is_kept: mail.isKept(),
    sendable: mail.isKept() ? null : await findSendable(services, isStillOwed),
    folder: outboxFolder(config),
    may_be_elsewhere: config.databaseUrl !== undefined,
  }
}

type MailRows = Map<string, Pick<typeof mails.$inferSelect, 'kind' | 'status' | 'body'>>

async function findRows(db: Db, ids: string[]): Promise<MailRows> {
  const { id, kind, status, body } = mails
  const rows = await db.select({ id, kind, status, body }).from(mails).where(inArray(id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

function summaryOf(name: string, { id, to, subject, keptAt }: OutboxMail, rows: MailRows): KeptMailSummary {
  const row = rows.get(id)
  return {
    name,
    to,
    subject,
    kind: row?.kind ?? null,
    kept_at: keptAt.toISOString(),
    is_sent: row?.status === 'sent',
  }
}

export async function getKeptMail(services: MailShop, reader: SignedInUser, name: string): Promise<KeptMail> {
  const kept = await getFromOutbox(services, name)
  const rows = await findRows(services.db, [kept.id])
  const { text, isOwn, hidesLinks } = await shownOf(kept, { reader: reader.email, rows })
  const holder = { user_id: reader.id, session_id: reader.session_id }
  return {
    ...summaryOf(name, kept, rows),
    from: kept.from,
    reply_to: kept.replyTo ?? null,
    text,
    is_own: isOwn,
    hides_links: hidesLinks,
    page_url: `/api/mails/${writeLink(services, 'mails', holder, name)}`,
  }
}

export async function openMailPage(
  services: MailShop & WithSessions,
  token: string,
): Promise<{ html: string; isOwn: boolean }> {
  const { content: name, holder } = await readLink(services, 'mails', token, keptMailName)
  if (!holder.is_admin) throw platformProblem('access.forbidden')
  const kept = await getFromOutbox(services, name)
  return shownOf(kept, { reader: holder.email, rows: await findRows(services.db, [kept.id]) })
}

async function getFromOutbox({ config }: MailShop, name: string): Promise<OutboxMail> {
  const kept = await readFromOutbox(config, name)
  if (!kept) throw platformProblem('request.not_found')
  return kept
}

/**
 * Only the recipient follows links. What signs in or opens something works from the mailbox only, the admin's own included:
 * else a stolen session could take the account over. Of a mail that does not say what that is, only the saved text is shown.
 */
async function shownOf(
  { id, to, html, text, secrets }: OutboxMail,
  { reader, rows }: { reader: string; rows: MailRows },
) {
  const isOwn = to.toLowerCase() === reader.toLowerCase()
  if (!secrets) {
    const saved = rows.get(id)?.body ?? null
    const page = await asPage`<pre>${saved}</pre>`
    return { html: page.toString(), text: saved, isOwn, hidesLinks: true }
  }
  const reading = { secrets, isRecipient: isOwn }
  const shown = { html: await hideInHtml(html, reading), text: hideInText(text, reading) }
  return { ...shown, isOwn, hidesLinks: shown.text !== text || shown.html !== html }
}
