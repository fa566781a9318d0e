// Written in the transaction that does what is logged.
import { v7 as uuidv7 } from 'uuid'
import type { AuditEntry } from '#contract/operations/audit.ts'
import type { AuditAction } from '#contract/operations/audit-actions.ts'
import type { Db, Transaction } from './db/client.ts'
import { audit_log } from '#tables/platform.ts'

export type Actor = { id: string | null; email: string; ip: string | null }

export type AuditEvent = {
  action: AuditAction
  subject: string
  subject_id?: string
  /** What there is to know besides; never a secret. */
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
