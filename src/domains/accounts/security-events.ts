// The list of security events of accounts.
import { and, desc, eq, or, sql } from 'drizzle-orm'
import type { Page } from '#contract/fields.ts'
import type { Db } from '#platform/db/client.ts'
import { containing, momentKey, readCursor, toPage } from '#platform/db/query.ts'
import type { SecurityEvent, SecurityEventsRequest } from '#contract/accounts/users.ts'
import { audit_log, profiles } from '#tables/accounts.ts'

const pageSize = 50

export async function listSecurityEvents(
  db: Db,
  { q, kind, after }: SecurityEventsRequest,
): Promise<Page<SecurityEvent>> {
  const { id, event, user_id, ip, attempts, detail, created_at } = audit_log
  const place = readCursor(after, momentKey)
  const email = sql<string | null>`coalesce(${profiles.email}, ${audit_log.email})`
  const fits = q && or(sql`${email} ilike ${containing(q)}`, sql`${ip} ilike ${containing(q)}`)
  const rows = await db
    .select({
      id,
      kind: event,
      user_id,
      email,
      ip,
      attempts,
      detail,
      created_at,
      place: sql<string>`${created_at}::text`,
    })
    .from(audit_log)
    .leftJoin(profiles, eq(profiles.user_id, user_id))
    .where(
      and(
        fits || undefined,
        kind && eq(event, kind),
        place && sql`(${created_at}, ${id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`,
      ),
    )
    .orderBy(desc(created_at), desc(id))
    .limit(pageSize + 1)
  return toPage(rows, pageSize, {
    item: ({ place: _place, created_at: at, ...row }) => ({ ...row, created_at: at.toISOString() }),
    key: (row) => [row.place, row.id],
  })
}
