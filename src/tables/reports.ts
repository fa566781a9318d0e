// Sums that triggers maintain, so that no figure of the admin area gets slower with the number of rows.
import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { moneySum } from './columns.ts'
import { profiles } from './accounts.ts'
import { discount_codes } from './discounts.ts'
import { products } from './products.ts'

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
