// The tables of settings, the audit log, rate limits, and secrets.
import {
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, bytes } from './columns.ts'
import { sql } from 'drizzle-orm'
import { fromCents } from '#contract/money.ts'
import { auth } from './accounts.ts'

export const settings = pgTable('settings', {
  name: text().primaryKey(),
  fields: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  revision: integer().notNull(),
  changed_at: created_at(),
  changed_by: text().notNull(),
})

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

/** Unlogged: a crash deletes them. */
export const rate_limits = pgTable('rate_limits', {
  key: text().primaryKey(),
  window_start: created_at(),
  hits: integer().notNull().default(1),
})

export const secret_fingerprint = auth.table(
  'secret_fingerprint',
  {
    is_only: boolean().primaryKey().default(true),
    fingerprint: bytes().notNull(),
    set_at: created_at(),
  },
  (t) => [check('secret_fingerprint_is_only_check', sql`${t.is_only}`)],
)

export const setting_secrets = auth.table('setting_secrets', {
  name: text().primaryKey(),
  sealed: bytes().notNull(),
  set_at: created_at(),
  set_by: text().notNull(),
})
