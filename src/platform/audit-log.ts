// Written in the transaction that does what is logged.
import { and, desc, eq, or, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { AuditEntry, AuditRequest } from '#contract/operations/audit.ts'
import { auditActions, type AuditAction } from '#contract/operations/audit-actions.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Page } from '#contract/paging.ts'
import type { Db, Transaction } from './db/client.ts'
import { audit_log } from '#tables/audit.ts'
import { purchases } from '#tables/purchases.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { containing, momentKey, readCursor, toPage } from './http/cursors.ts'

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

export async function recordPurchaseEvent(
  tx: Transaction,
  actor: Actor,
  { purchase_id, ...event }: Pick<AuditEvent, 'action' | 'detail'> & { purchase_id: string },
): Promise<void> {
  const [purchase] = await tx
    .select({ number: purchases.number })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  if (!purchase) throw orderProblem('purchases.not_found')
  const subject = formatOrderNumber(purchase.number)
  await recordAuditEvent(tx, actor, { ...event, subject, subject_id: purchase_id })
}

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

export function toEntry(row: typeof audit_log.$inferSelect): AuditEntry {
  const { id, actor, action, subject, subject_id, detail, ip, created_at } = row
  return { id, actor, action, subject, subject_id, detail, ip, created_at: created_at.toISOString() }
}
