// Deletes old emails: of sent ones the rows, of unsent ones the files in the outbox, too.
import { and, desc, eq, sql, type SQL, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import type { Db } from '#platform/db/client.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import { platformProblem } from '#platform/problem.ts'
import { parseOrderNumber } from '#contract/orders/order-number.ts'
import { purchases } from '#tables/orders.ts'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import type { LoggedMail, LoggedMailDetail, MailLogRequest } from '#contract/mail/mails.ts'
import { mails } from '#tables/mail.ts'
import { queryFirst, deleteBatches } from '#platform/db/query.ts'
import { z } from 'zod'
import { mailProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { outboxFolder } from '#platform/outbox.ts'
import { removeOldFiles } from '#platform/outgoing-files.ts'
import type { MailShop } from './shop.ts'

const pageSize = 50

/** Newest first. Of an address or an order, each found by its index. */
export async function listMails(db: Db, { q, status, after }: MailLogRequest): Promise<Page<LoggedMail>> {
  const { created_at, id } = mails
  const place = readCursor(after, momentKey)
  const rows = await db
    .select({ mail: mails, number: purchases.number, place: sql<string>`${created_at}::text` })
    .from(mails)
    .leftJoin(purchases, eq(purchases.id, mails.purchase_id))
    .where(
      and(
        q?.trim() ? fits(q.trim()) : undefined,
        status && eq(mails.status, status),
        place && sql`(${created_at}, ${id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`,
      ),
    )
    .orderBy(desc(created_at), desc(id))
    .limit(pageSize + 1)
  return toPage(rows, pageSize, { item: toLoggedMail, key: (row) => [row.place, row.mail.id] })
}

type Row = { mail: typeof mails.$inferSelect; number: number | null }

function toLoggedMail({ mail, number }: Row): LoggedMail {
  const { id, kind, recipient, subject, status, attempts, error, purchase_id } = mail
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
const isRepeatable = (isStillOwed: SQL) => sql<boolean>`(m.status = 'sent' and m.recipient like '%@%'
  and m.kind = any(${repeatedKinds}::text[]) and ${isStillOwed})`

export async function getLoggedMail(db: Db, id: string, isStillOwed: SQL): Promise<LoggedMailDetail> {
  const [row] = await db
    .select({
      mail: mails,
      number: purchases.number,
      is_repeatable: sql<boolean>`(select ${isRepeatable(isStillOwed)} from mails m where m.id = ${mails.id})`,
    })
    .from(mails)
    .leftJoin(purchases, eq(purchases.id, mails.purchase_id))
    .where(eq(mails.id, id))
  if (!row) throw platformProblem('request.not_found')
  return { ...toLoggedMail(row), body: row.mail.body, is_repeatable: row.is_repeatable }
}

function fits(q: string): SQL {
  const number = parseOrderNumber(q)
  if (number !== undefined)
    return sql`${mails.purchase_id} = (select p.id from ${purchases} p where p.number = ${number})`
  return sql`lower(${mails.recipient}) = ${q.toLowerCase()}`
}

const pauseInMinutes = 2

const taken = z.object({ recipient: z.string(), is_repeatable: z.boolean(), is_just_sent: z.boolean() })

/** A new email by a new job, composed as of now. Of two presses at once, the second finds the first. */
export async function sendAgain(
  { db, queue, mail, clock }: MailShop,
  actor: Actor,
  id: string,
  isStillOwed: SQL,
): Promise<void> {
  if (mail.isKept()) throw mailProblem('mails.not_set_up')
  await db.transaction(async (tx) => {
    const row = await queryFirst(
      tx,
      taken,
      sql`
        select m.recipient, ${isRepeatable(isStillOwed)} as is_repeatable,
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
