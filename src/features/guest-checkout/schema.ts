import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, created_at, moment } from '#platform/db/columns.ts'
import { purchases } from '../purchases/schema.ts'

const purchaseKey = () => uuid().references(() => purchases.id, { onDelete: 'cascade' })

/** A purchase that was begun with an address instead of an account. */
export const guest_checkouts = pgTable(
  'guest_checkouts',
  {
    purchase_id: purchaseKey().primaryKey(),
    email: text().notNull(),
    /** What the limit of reservations counts by; null after a day. */
    network: text(),
    /** Its payment found no account of the address. */
    made_account: boolean().notNull().default(false),
    created_at: created_at(),
  },
  (t) => [
    index('guest_checkouts_search').using('gin', sql`${t.email} gin_trgm_ops`),
    index('guest_checkouts_of_network')
      .on(t.network, t.created_at)
      .where(sql`${t.network} is not null`),
  ],
)

/** Tokens that open one purchase without an account; the hash is of the token, never the token. */
export const purchase_access = pgTable(
  'purchase_access',
  {
    hash: bytes().primaryKey(),
    purchase_id: purchaseKey().notNull(),
    /** The browser that bought, the link in a receipt, or a browser in which the purchase's password was given. */
    kind: text({ enum: ['browser', 'receipt', 'password'] }).notNull(),
    created_at: created_at(),
    /** Null until the payment. */
    expires_at: moment(),
  },
  (t) => [
    index('purchase_access_of_purchase').on(t.purchase_id),
    index('purchase_access_expired').on(t.expires_at),
  ],
)
