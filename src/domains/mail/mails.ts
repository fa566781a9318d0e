// The emails of the shop in one list, and what can be done with one: read it, and send it again.
import { and, desc, eq, sql, type SQL, inArray } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { queryFirst, isoTime, queryAll, queryOne, momentKey, readCursor, toPage } from '#platform/db/query.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { outboxFolder, findInOutbox, type OutboxMail } from '#platform/mail.ts'
import { platformProblem } from '#platform/problem.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { parseOrderNumber } from '#contract/orders/order-number.ts'
import {
  mailKinds,
  mailStatuses,
  type Mail,
  type MailDetail,
  type MailList,
  type MailListRequest,
  type MailStatus,
} from '#contract/mail/mails.ts'
import { mails } from '#tables/mail.ts'
import { mailProblem, type MailShop, type MailsOfOrders } from './shop.ts'
import type { Services } from '#platform/services.ts'
import { html as asPage } from 'hono/html'
import { readLink, writeLink, type WithSessions } from '#platform/signed-links.ts'
import { hideInHtml, hideInText } from './sending.ts'

const m = alias(mails, 'm')

/** A job writes the row with its first attempt. */
function statusConditions({ queue }: MailShop): Record<MailStatus, SQL> {
  const isWaiting = sql`(m.status = 'failed' and m.given_up_at is null or m.status = 'kept' and m.queued_at is not null)
    and ${queue.isToRun(sql`m.id`)}`
  return {
    sent: sql`m.status = 'sent'`,
    waiting: isWaiting,
    failed: sql`m.status = 'failed' and not (${isWaiting})`,
    unsent: sql`m.status = 'kept' and not (${isWaiting})`,
  }
}

function selected(shop: MailShop, { number }: MailsOfOrders) {
  const conditions = statusConditions(shop)
  const cases = mailStatuses.map((status) => sql`when ${conditions[status]} then ${status}`)
  return {
    mail: m,
    number,
    status: sql<MailStatus>`case ${sql.join(cases, sql` `)} end`,
    position: sql<string>`${m.created_at}::text`,
  }
}

const pageSize = 50

/** Newest first. Of an address or an order, each found by its index. */
export async function listMails(
  shop: MailShop,
  { q, status, after }: MailListRequest,
  orders: MailsOfOrders,
): Promise<MailList> {
  const { db, mail, config } = shop
  const last = readCursor(after, momentKey)
  const rows = await db
    .select(selected(shop, orders))
    .from(m)
    .where(
      and(
        q?.trim() ? isFound(q.trim(), orders) : undefined,
        status && statusConditions(shop)[status],
        last && sql`(${m.created_at}, ${m.id}) < (${last[0]}::timestamptz, ${last[1]}::uuid)`,
      ),
    )
    .orderBy(desc(m.created_at), desc(m.id))
    .limit(pageSize + 1)
  return {
    ...toPage(rows, pageSize, { item: toMail, key: (row) => [row.position, row.mail.id] }),
    is_kept: mail.isKept(),
    sendable: mail.isKept() ? null : await findSendable(shop, orders.isStillOwed),
    folder: outboxFolder(config),
  }
}

function isFound(q: string, { isAbout }: MailsOfOrders): SQL {
  const number = parseOrderNumber(q)
  if (number !== undefined) return isAbout(number)
  return sql`lower(${m.recipient}) = ${q.toLowerCase()}`
}

type Row = { mail: typeof mails.$inferSelect; number: number | null; status: MailStatus }

function toMail({ mail, number, status }: Row): Mail {
  const { id, kind, recipient, subject, attempts, error, purchase_id } = mail
  return {
    id,
    kind,
    recipient,
    subject,
    status,
    attempts,
    error,
    created_at: mail.created_at.toISOString(),
    sent_at: mail.sent_at?.toISOString() ?? null,
    purchase: purchase_id && number !== null ? { id: purchase_id, number } : null,
  }
}

const repeatedKinds = sql.param(
  Object.entries(mailKinds).flatMap(([kind, rule]) => (rule === 'expires' ? [] : [kind])),
)

/** For mails as `m`: sent, and of use still. */
const isRepeatable = ({
  isStillOwed,
}: MailsOfOrders) => sql<boolean>`(m.status = 'sent' and m.recipient like '%@%'
  and m.kind = any(${repeatedKinds}::text[]) and ${isStillOwed})`

/** As `reader` may see it: only recipients see their own links. */
export async function getMail(
  shop: MailShop,
  { id, reader }: { id: string; reader: SignedInUser },
  orders: MailsOfOrders,
): Promise<MailDetail> {
  const [row] = await shop.db
    .select({ ...selected(shop, orders), is_repeatable: isRepeatable(orders) })
    .from(m)
    .where(eq(m.id, id))
  if (!row) throw platformProblem('request.not_found')
  const { status, body, given_up_at } = row.mail
  const unsent = status === 'kept' ? await readUnsent(shop, reader, { id, body }) : undefined
  return {
    ...toMail(row),
    text: unsent ? unsent.text : body,
    file: unsent?.file ?? null,
    is_repeatable: row.is_repeatable,
    needs_attention: given_up_at !== null,
  }
}

const pauseInMinutes = 2

const repeated = z.object({ recipient: z.string(), is_repeatable: z.boolean(), is_just_sent: z.boolean() })

/** A new email by a new job, composed as of now. Of two presses at once, the second finds the first. */
export async function sendAgain(
  { db, queue, mail, clock }: MailShop,
  actor: Actor,
  id: string,
  orders: MailsOfOrders,
): Promise<void> {
  if (mail.isKept()) throw mailProblem('mails.not_set_up')
  await db.transaction(async (tx) => {
    const row = await queryFirst(
      tx,
      repeated,
      sql`
        select m.recipient, ${isRepeatable(orders)} as is_repeatable,
          coalesce(greatest(m.sent_at, m.repeated_at) > ${clock()}::timestamptz - make_interval(mins => ${pauseInMinutes}), false) as is_just_sent
        from mails m where m.id = ${id} for update of m`,
    )
    if (!row) throw platformProblem('request.not_found')
    if (!row.is_repeatable) throw mailProblem('mails.not_repeatable')
    if (row.is_just_sent) throw mailProblem('mails.just_sent')
    if (!(await queue.repeat(tx, id))) throw mailProblem('mails.too_old')
    await tx.update(mails).set({ repeated_at: clock() }).where(eq(mails.id, id))
    await recordAuditEvent(tx, actor, {
      action: 'mails.sent_again',
      subject: row.recipient,
      subject_id: id,
    })
  })
}

// Emails that were not sent because no mail server was set: sends them once one is, and reads those of this machine's outbox.

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
export async function sendUnsentMails(
  { db, queue, mail, clock }: MailShop,
  actor: Actor,
  { isStillOwed }: Pick<MailsOfOrders, 'isStillOwed'>,
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

/** Of a mail whose file is in this machine's outbox; undefined where another one has it. */
async function readUnsent(shop: MailShop, reader: SignedInUser, row: { id: string; body: string | null }) {
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
 * Only the recipient follows links. What signs in or opens something works from the mailbox only, the admin's own included:
 * else a stolen session could take the account over. Of a mail that does not say what that is, only the saved text is shown.
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
