import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'
import { purchases } from './orders.ts'
import type { LockedBuyer } from '#contract/privacy/own-data.ts'

export const backup_runs = pgTable(
  'backup_runs',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: ['backup', 'rehearsal', 'restore'] }).notNull(),
    started_by: text().notNull(),
    started_at: created_at(),
    finished_at: moment(),
    step: text({ enum: ['tables', 'files'] }),
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    backup: text(),
    place: text(),
    orders: integer(),
    files: integer(),
    checked: integer(),
    unchecked: integer(),
    opened: text(),
    /** Of a backup: how many rows PostgreSQL had counted as changed before it began. */
    changes: bigint({ mode: 'number' }),
    problems: jsonb()
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'`),
  },
  (t) => [index('backup_runs_newest').on(t.started_at.desc().nullsFirst(), t.id.desc().nullsFirst())],
)

export const backup_states = pgTable(
  'backup_states',
  {
    id: uuid().primaryKey().defaultRandom(),
    place: text().notNull(),
    kind: text({ enum: ['backup', 'rehearsal'] }).notNull(),
    succeeded_at: moment(),
    failing_since: moment(),
    problem: text(),
    created_at: created_at(),
    seen_at: created_at(),
  },
  (t) => [unique('backup_states_place').on(t.place, t.kind)],
)

export const backup_objects = pgTable(
  'backup_objects',
  {
    place: text().notNull(),
    path: text().notNull(),
    sha256: text(),
    size: bigint({ mode: 'number' }),
    damaged_at: moment(),
  },
  (t) => [primaryKey({ columns: [t.place, t.path] })],
)

export const sums_settings = pgTable('sums_settings', {
  is_only: boolean().primaryKey().default(true),
  time_zone: text().notNull(),
  /** Until the shop takes money or an own book opens, so that an author sees that test orders arrive. */
  counts_tests: boolean().notNull().default(true),
  currency: text().notNull().default('usd'),
})

/** Who paid for what an erased account bought, for as long as books have to be kept. */
export const locked_buyers = pgTable(
  'locked_buyers',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    buyer: jsonb().$type<Omit<LockedBuyer, 'locked_until'>>().notNull(),
    locked_until: moment().notNull(),
  },
  (t) => [index('locked_buyers_until').on(t.locked_until)],
)

/** How far the author is with setting up the shop, so that every step can be left and resumed. */
export const book_setup = pgTable(
  'book_setup',
  {
    id: integer().primaryKey().default(1),
    step: text().notNull(),
    /** The upload with the author's book, and what was read of it; null before it was chosen. */
    file: jsonb(),
    offers: jsonb().notNull(),
    changed_at: moment().notNull(),
  },
  () => [check('one_book_setup', sql`id = 1`)],
)
