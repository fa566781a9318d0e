// Sums that triggers maintain, so that no figure of the admin area gets slower with the number of rows.
import { date, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { moneySum } from './columns.ts'
import { products } from './catalog.ts'
import { discount_codes } from './orders.ts'

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
    revenue: moneySum(),
    // Revenue is `gross - refunded`. Of the orders that are left out, only `tests` counts.
    sold: integer().notNull().default(0),
    gross: moneySum(),
    refunded: moneySum(),
    free: integer().notNull().default(0),
    tests: integer().notNull().default(0),
    begun: integer().notNull().default(0),
    paid: integer().notNull().default(0),
    /** Tax that Link owes, a part of the revenue. */
    link_tax: moneySum(),
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
  revenue: moneySum(),
}

/** Orders whose country is unknown are not in it. */
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
