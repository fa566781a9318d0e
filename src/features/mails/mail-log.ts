import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Page } from '#platform/contract/paging.ts'
import type { Db } from '#platform/db/client.ts'
import { momentKey, readCursor, toPage } from '#platform/http/cursors.ts'
import { parseOrderNumber } from '../purchases/contract/order-number.ts'
import { purchases } from '../purchases/schema.ts'
import type { LoggedMail, MailLogRequest } from './contract/mail-log.ts'
import { mails } from './schema.ts'

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
  return toPage(rows, pageSize, {
    item: ({ mail, number }) => ({
      id: mail.id,
      kind: mail.kind,
      recipient: mail.recipient,
      subject: mail.subject,
      status: mail.status,
      attempts: mail.attempts,
      error: mail.error,
      created_at: mail.created_at.toISOString(),
      sent_at: mail.sent_at?.toISOString() ?? null,
      purchase: mail.purchase_id && number !== null ? { id: mail.purchase_id, number } : null,
    }),
    key: (row) => [row.place, row.mail.id],
  })
}

function fits(q: string): SQL {
  const number = parseOrderNumber(q)
  if (number !== undefined)
    return sql`${mails.purchase_id} = (select p.id from ${purchases} p where p.number = ${number})`
  return sql`lower(${mails.recipient}) = ${q.toLowerCase()}`
}
