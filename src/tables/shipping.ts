// A trigger inserts a shipment for each paid purchase on paper.
import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment, money } from './columns.ts'
import { formats } from '#contract/catalog/products.ts'
import { purchases } from './purchases.ts'

export const shipments = pgTable(
  'shipments',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    format: text({ enum: formats }).notNull(),
    /** The trigger sets it to false once the money is back with the buyer, or with the bank. */
    is_paid: boolean().notNull().default(true),
    name: text(),
    line1: text(),
    city: text(),
    country: text(),
    line2: text().notNull().default(''),
    state: text().notNull().default(''),
    postal_code: text().notNull().default(''),
    phone: text().notNull().default(''),
    /** The same Idempotency-Key must bring the same address. */
    first_address_digest: text(),
    carrier: text(),
    tracking_number: text(),
    shipped_at: moment(),
    created_at: moment().notNull().defaultNow(),
    updated_at: moment().notNull().defaultNow(),
  },
  (t) => [
    check('shipments_address', sql`num_nulls(${t.name}, ${t.line1}, ${t.city}, ${t.country}) in (0, 4)`),
    index('shipments_to_ship')
      .on(t.created_at, t.purchase_id)
      .where(sql`${t.shipped_at} is null and ${t.is_paid}`),
    index('shipments_to_ship_by_format')
      .on(t.format, t.created_at, t.purchase_id)
      .where(sql`${t.shipped_at} is null and ${t.is_paid}`),
    index('shipments_shipped')
      .on(t.shipped_at.desc().nullsFirst(), t.purchase_id.desc().nullsFirst())
      .where(sql`${t.shipped_at} is not null`),
    index('shipments_shipped_by_format')
      .on(t.format, t.shipped_at.desc().nullsFirst(), t.purchase_id.desc().nullsFirst())
      .where(sql`${t.shipped_at} is not null`),
  ],
)

/** For each purchase on paper, paid or not, that was made while sending cost something to any country. */
export const shipping_charges = pgTable(
  'shipping_charges',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    country: text(),
    amount: money().notNull(),
  },
  (t) => [check('shipping_charges_amount', sql`${t.amount} >= 0`)],
)
