import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, created_at, moment } from './columns.ts'
import { purchases } from './purchases.ts'

/** The id is the browser's, so that a repeated request moves once. */
export const purchase_moves = pgTable(
  'purchase_moves',
  {
    id: uuid().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id),
    /** Empty once its account was erased; the account itself may be gone, if it was never confirmed. */
    from_email: text().notNull(),
    to_email: text().notNull(),
    reason: text().notNull(),
    /** Its buyer has corrected the address, in the browser that bought. */
    is_by_buyer: boolean().notNull().default(false),
    /** Of the token with which the former owner may object; null once that was done. */
    objection_hash: bytes().unique(),
    objected_at: moment(),
    created_at: created_at(),
  },
  (t) => [index('purchase_moves_of_purchase').on(t.purchase_id, t.created_at)],
)
