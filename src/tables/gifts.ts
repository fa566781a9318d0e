// Nobody gets the same twice.
import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'
import { discount_codes } from './discounts.ts'
import { products } from './products.ts'
import { purchases } from './purchases.ts'

export const gifts = pgTable(
  'gifts',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    name: text(),
    product_id: uuid().references(() => products.id),
    code_id: uuid().references(() => discount_codes.id),
    purchase_id: uuid().references(() => purchases.id),
    message: text().notNull().default(''),
    created_at: created_at(),
    mailed_at: moment().notNull().defaultNow(),
  },
  (t) => [
    check('gifts_present', sql`num_nonnulls(${t.product_id}, ${t.code_id}) = 1`),
    unique('gifts_product').on(t.product_id, t.email),
    unique('gifts_code').on(t.code_id, t.email),
    index('gifts_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
  ],
)
