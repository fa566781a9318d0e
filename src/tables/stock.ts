import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { products } from './products.ts'
import { purchases } from './purchases.ts'

export const stock = pgTable(
  'stock',
  {
    product_id: uuid()
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    copies: integer().notNull(),
    updated_at: moment().notNull().defaultNow(),
  },
  (t) => [check('stock_copies', sql`${t.copies} >= 0`)],
)

// One row for each counted copy that a purchase has sold or reserved. A trigger deletes them and counts the copies back when
// the purchase is canceled, or refunded before its parcel has left.
export const taken_copies = pgTable(
  'taken_copies',
  {
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.purchase_id, t.product_id] })],
)
