import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import type { Db } from '#platform/db/client.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import { platformProblem } from '#platform/problem.ts'
import { parseOrderNumber } from '#contract/orders/order-number.ts'
import { purchases } from '#tables/purchases.ts'
import { mailKinds } from '#contract/mail/mail-kinds.ts'
import type { LoggedMail, LoggedMailDetail, MailLogRequest } from '#contract/mail/mail-log.ts'
import { mails } from '#tables/mails.ts'

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
export const isRepeatable = (isStillOwed: SQL) => sql<boolean>`(m.status = 'sent' and m.recipient like '%@%'
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
