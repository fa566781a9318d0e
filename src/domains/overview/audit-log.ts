// Lists the entries of the audit log of admins.
import { and, desc, or, sql } from 'drizzle-orm'
import { type AuditEntry, type AuditRequest, auditActions } from '#contract/overview/audit.ts'
import type { Page } from '#contract/fields.ts'
import { toEntry } from '#platform/audit-log.ts'
import type { Db } from '#platform/db/client.ts'
import { containing, momentKey, readCursor, toPage } from '#platform/db/query.ts'
import { audit_log } from '#tables/platform.ts'

const pageSize = 50

export async function listAuditEvents(db: Db, { q, after }: AuditRequest): Promise<Page<AuditEntry>> {
  const { id, actor, action, subject, detail, created_at } = audit_log
  const place = readCursor(after, momentKey)
  const all = sql`(${actor} || ' ' || ${action} || ' ' || ${subject} || ' ' || ${detail}::text)`
  const fits = q && [q, ...eventsNamed(q)].map((term) => sql`${all} ilike ${containing(term)}`)
  const rows = await db
    .select({ row: audit_log, place: sql<string>`${created_at}::text` })
    .from(audit_log)
    .where(
      and(
        fits ? or(...fits) : undefined,
        place && sql`(${created_at}, ${id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`,
      ),
    )
    .orderBy(desc(created_at), desc(id))
    .limit(pageSize + 1)
  return toPage(rows, pageSize, {
    item: ({ row }) => toEntry(row),
    key: ({ row, place: at }) => [at, row.id],
  })
}

function eventsNamed(q: string): string[] {
  const term = q.toLowerCase()
  return Object.entries(auditActions)
    .filter(([, words]) => words.toLowerCase().includes(term))
    .map(([action]) => action)
}
