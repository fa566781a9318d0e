// Sums that triggers maintain, so that no figure of the admin area gets slower with the number of rows.
import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
  boolean,
  date,
  smallint,
  timestamp,
} from 'drizzle-orm/pg-core'
import { created_at, moment, moneySum, bytes } from './columns.ts'
import { profiles } from './accounts.ts'
import { discount_codes, purchases } from './orders.ts'
import { products } from './catalog.ts'
import type { LockedBuyer } from '#contract/operations/erasures.ts'

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

const sum = () =>
  moneySum()
    .notNull()
    .default(sql`0`)

export const sales_day = pgTable(
  'sales_day',
  {
    day: date({ mode: 'string' }).notNull(),
    product_id: uuid()
      .notNull()
      .references(() => products.id),
    shard: smallint().notNull(),
    purchases: integer().notNull().default(0),
    completed: integer().notNull().default(0),
    revenue: sum(),
    // Without test orders, unlike the three above. Revenue is `gross - refunded`.
    sold: integer().notNull().default(0),
    gross: sum(),
    refunded: sum(),
    free: integer().notNull().default(0),
    tests: integer().notNull().default(0),
    begun: integer().notNull().default(0),
    paid: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.day, t.product_id, t.shard] })],
)

const daySums = {
  day: date({ mode: 'string' }).notNull(),
  product_id: uuid()
    .notNull()
    .references(() => products.id),
  sold: integer().notNull().default(0),
  free: integer().notNull().default(0),
  revenue: sum(),
}

/** Not of orders whose country is unknown. */
export const sales_day_by_country = pgTable(
  'sales_day_by_country',
  { ...daySums, country: text().notNull() },
  (t) => [primaryKey({ columns: [t.day, t.product_id, t.country] })],
)

export const sales_day_by_code = pgTable(
  'sales_day_by_code',
  {
    ...daySums,
    code_id: uuid()
      .notNull()
      .references(() => discount_codes.id),
  },
  (t) => [primaryKey({ columns: [t.day, t.product_id, t.code_id] })],
)

export const user_sums = pgTable(
  'user_sums',
  {
    user_id: uuid()
      .primaryKey()
      .references(() => profiles.user_id, { onDelete: 'cascade' }),
    total_purchases: integer().notNull().default(0),
    total_spent: sum(),
    last_purchase: timestamp({ withTimezone: true, mode: 'date' }),
  },
  (t) => [
    index('user_sums_by_purchases').on(t.total_purchases.desc().nullsFirst(), t.user_id.desc().nullsFirst()),
    index('user_sums_by_spent').on(t.total_spent.desc().nullsFirst(), t.user_id.desc().nullsFirst()),
    index('user_sums_by_last').on(
      sql`coalesce(${t.last_purchase}, '-infinity') desc`,
      t.user_id.desc().nullsFirst(),
    ),
  ],
)

export const user_count = pgTable('user_count', {
  shard: smallint().primaryKey(),
  users: integer().notNull().default(0),
})

export const sums_settings = pgTable('sums_settings', {
  is_only: boolean().primaryKey().default(true),
  time_zone: text().notNull(),
  /** Until the shop takes money for the first time, so that an author sees that test orders arrive. */
  counts_tests: boolean().notNull().default(true),
  currency: text().notNull().default('usd'),
})

/** Accounts that are to be erased; the row goes with the erasure. */
export const erasures = pgTable(
  'erasures',
  {
    user_id: uuid()
      .primaryKey()
      .references(() => profiles.user_id, { onDelete: 'cascade' }),
    asked_at: created_at(),
    due_at: moment().notNull(),
    /** Since then nobody can sign in; what was under way then has ended before the erasure. */
    began_at: moment(),
  },
  (t) => [index('erasures_due').on(t.due_at)],
)

/** SHA-256 of the ids of erased accounts and of their purchases, which are random. */
export const erased_ids = pgTable('erased_ids', {
  hash: bytes().primaryKey(),
  erased_at: created_at(),
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
