// Written in the transaction that does what is logged.
import { sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { AuditEntry, AuditAction } from '#contract/overview/audit.ts'
import type { Db, Transaction } from './db/client.ts'
import { audit_log } from '#tables/platform.ts'

export type Actor = { id: string | null; email: string; ip: string | null }

export type AuditEvent = {
  action: AuditAction
  subject: string
  subject_id?: string
  /** Further facts; never a secret. */
  detail?: Record<string, unknown>
}

export async function recordAuditEvent(
  db: Db | Transaction,
  actor: Actor,
  auditEvent: AuditEvent,
): Promise<void> {
  const { id: actor_id, email, ip } = actor
  await db.insert(audit_log).values({ id: uuidv7(), actor_id, actor: email, ip, ...auditEvent })
}

export function toEntry(row: typeof audit_log.$inferSelect): AuditEntry {
  const { id, actor, action, subject, subject_id, detail, ip, created_at } = row
  return { id, actor, action, subject, subject_id, detail, ip, created_at: created_at.toISOString() }
}

type Person = { user_id: string; email: string; purchase_ids: SQL; name: string }

/** The person is called `name` from then on. `email` in lower case. */
export function renameInAuditLog({ user_id, email, purchase_ids, name }: Person): SQL {
  const isOwn = (column: SQL) => sql`lower(${column}) = ${email}`
  return sql`
    update audit_log set
      actor = case when actor_id = ${user_id} then ${name} else actor end,
      ip = case when actor_id = ${user_id} then null else ip end,
      subject = case when ${isOwn(sql`subject`)} then ${name} else subject end,
      detail = detail - 'address' - 'reason' - 'from' - 'to'
    where actor_id = ${user_id} or ${isOwn(sql`subject`)}
      or action = 'purchases.moved' and ${isOwn(sql`detail ->> 'from'`)}
      or subject_id in (select id::text from unnest(${purchase_ids}) id)`
}
