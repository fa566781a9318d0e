// The emails of the shop in one list, and what can be done with one: read it, and send it again.
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { containing, queryFirst, momentKey, readCursor, toPage } from '#platform/db/query.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { outboxFolder } from '#platform/mail.ts'
import { platformProblem } from '#platform/problem.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { parseOrderNumber } from '#contract/orders/order-number.ts'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import {
  mailStatuses,
  type Mail,
  type MailDetail,
  type MailList,
  type MailListRequest,
  type MailStatus,
  shortestPart,
} from '#contract/mail/mails.ts'
import { mails } from '#tables/mail.ts'
import { mailProblem, type MailShop, type MailsOfOrders } from './shop.ts'
import { findSendable, readUnsent } from './unsent-mails.ts'

const m = alias(mails, 'm')

/** A job writes the row with its first attempt. */
function statusConditions({ queue }: MailShop): Record<MailStatus, SQL> {
  const isWaiting = sql`(m.status = 'failed' and m.given_up_at is null or m.status = 'unsent' and m.queued_at is not null)
    and ${queue.isToRun(sql`m.id`)}`
  return {
    sent: sql`m.status = 'sent'`,
    waiting: isWaiting,
    failed: sql`m.status = 'failed' and not (${isWaiting})`,
    unsent: sql`m.status = 'unsent' and not (${isWaiting})`,
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

/** Newest first. Of an order, an address, or a part of address or subject, each found by its index. */
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
        q?.trim() ? await findBy(db, q.trim(), orders) : undefined,
        status && statusConditions(shop)[status],
        last && sql`(${m.created_at}, ${m.id}) < (${last[0]}::timestamptz, ${last[1]}::uuid)`,
      ),
    )
    .orderBy(desc(m.created_at), desc(m.id))
    .limit(pageSize + 1)
  return {
    ...toPage(rows, pageSize, { item: toMail, key: (row) => [row.position, row.mail.id] }),
    sends_mail: mail.sendsMail(),
    sendable: mail.sendsMail() ? await findSendable(shop, orders.isStillOwed) : null,
    folder: outboxFolder(config),
  }
}

/** A whole address first: the index of parts is slow at what many addresses share. */
async function findBy(db: Db, q: string, { isAbout }: MailsOfOrders): Promise<SQL> {
  const number = parseOrderNumber(q)
  if (number !== undefined) return isAbout(number)
  const isRecipient = sql`lower(${m.recipient}) = ${q.toLowerCase()}`
  const [mail] = await db.select({ id: m.id }).from(m).where(isRecipient).limit(1)
  if (mail) return isRecipient
  // No index finds less.
  if (q.length < shortestPart) return sql`false`
  return sql`searchable(${m.recipient} || ' ' || ${m.subject}) like searchable(${containing(q)})`
}

type MailRow = { mail: typeof mails.$inferSelect; number: number | null; status: MailStatus }

function toMail({ mail, number, status }: MailRow): Mail {
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

/** Takes mails as `m`: sent, and of use still. */
const isRepeatable = ({
  isStillOwed,
}: MailsOfOrders) => sql<boolean>`(m.status = 'sent' and m.recipient like '%@%'
  and m.kind = any(${repeatedKinds}::text[]) and ${isStillOwed})`

/** Shows the mail as `reader` may see it: only recipients see their own links. */
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
  const unsent = status === 'unsent' ? await readUnsent(shop, reader, { id, body }) : undefined
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
  if (!mail.sendsMail()) throw mailProblem('mails.not_set_up')
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
