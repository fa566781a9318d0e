import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, created_at, moment } from './columns.ts'
import { purchases } from './purchases.ts'

const purchaseKey = () => uuid().references(() => purchases.id, { onDelete: 'cascade' })

/** A purchase that was begun with an address instead of an account. */
export const guest_checkouts = pgTable(
  'guest_checkouts',
  {
    purchase_id: purchaseKey().primaryKey(),
    email: text().notNull(),
    /** What the limit of reservations counts by; null after a day. */
    network: text(),
    /** Unused: the version before, which may still run beside this one, writes it. */
    made_account: boolean().notNull().default(false),
    /** Its buyer had chosen a password, which ended with an upgrade, and has got no other link since. */
    had_password: boolean().notNull().default(false),
    created_at: created_at(),
  },
  (t) => [
    index('guest_checkouts_search').using('gin', sql`${t.email} gin_trgm_ops`),
    index('guest_checkouts_had_password')
      .on(t.purchase_id)
      .where(sql`${t.had_password}`),
    index('guest_checkouts_of_network')
      .on(t.network, t.created_at)
      .where(sql`${t.network} is not null`),
  ],
)

/** The browser that bought; the link in a receipt, or one that is made on a page. */
export const accessKinds = ['browser', 'receipt'] as const

/** Tokens that open one purchase without an account; the hash is of the token, never the token. */
export const purchase_access = pgTable(
  'purchase_access',
  {
    hash: bytes().primaryKey(),
    purchase_id: purchaseKey().notNull(),
    kind: text({ enum: accessKinds }).notNull(),
    created_at: created_at(),
    /** Null until the payment. */
    expires_at: moment(),
  },
  (t) => [
    index('purchase_access_of_purchase').on(t.purchase_id),
    index('purchase_access_expired').on(t.expires_at),
  ],
)
