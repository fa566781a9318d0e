import { sql } from 'drizzle-orm'
import { fromCents } from '#contract/money.ts'
import { customType, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Its amounts are decimals, as in the columns of money. */
const jsonDetail = customType<{ data: Record<string, unknown>; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: (detail) =>
    JSON.stringify(detail, (_name, value: unknown) => (typeof value === 'bigint' ? fromCents(value) : value)),
})

export const audit_log = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    /** Null for what was done from the shell of the machine itself, or by the payment provider. */
    actor_id: uuid(),
    actor: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    subject_id: text(),
    detail: jsonDetail().notNull().default({}),
    ip: text(),
    created_at: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [
    index('audit_log_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('audit_log_of_subject').on(t.subject_id, t.created_at),
    index('audit_log_search').using(
      'gin',
      sql`(${t.actor} || ' ' || ${t.action} || ' ' || ${t.subject} || ' ' || ${t.detail}::text) gin_trgm_ops`,
    ),
  ],
)
