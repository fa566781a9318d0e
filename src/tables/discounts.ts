import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment, money } from './columns.ts'
import { products } from './products.ts'
import { purchases } from './purchases.ts'

export const discount_codes = pgTable(
  'discount_codes',
  {
    id: uuid().primaryKey(),
    code: text().notNull(),
    /** One of these two is null. */
    percent: integer(),
    amount_off: money(),
    product_id: uuid().references(() => products.id),
    max_uses: integer(),
    /** A trigger follows `discount_uses` when a purchase is canceled. */
    uses: integer().notNull().default(0),
    /** In the shop's time zone. */
    ends_on: date({ mode: 'string' }),
    /** A restore pauses it, as its uses are unknown then; the author resumes it. */
    paused_at: moment(),
    ended_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    check('discount_codes_terms', sql`num_nonnulls(${t.percent}, ${t.amount_off}) = 1`),
    check('discount_codes_percent', sql`${t.percent} between 1 and 100`),
    check('discount_codes_amount_off', sql`${t.amount_off} > 0`),
    uniqueIndex('discount_codes_current')
      .on(t.code)
      .where(sql`${t.ended_at} is null`),
  ],
)

export const discount_uses = pgTable(
  'discount_uses',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    code_id: uuid()
      .notNull()
      .references(() => discount_codes.id),
    discount: money().notNull(),
    /** False for a test order, and once the purchase is canceled. */
    is_counted: boolean().notNull().default(true),
  },
  (t) => [index('discount_uses_of_code').on(t.code_id)],
)
