// Copies that their buyers give to someone else. The buyer's purchase stays the buyer's; the recipient, who opens the
// gift, has a purchase of their own (`purchases.gift_of`).
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, created_at, moment } from './columns.ts'
import { sql } from 'drizzle-orm'
import { purchases } from './purchases.ts'

/** Deleted when the buyer takes the copy back. Addresses and texts are empty once their owner is erased. */
export const purchase_gifts = pgTable(
  'purchase_gifts',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    recipient_name: text().notNull().default(''),
    sender_name: text().notNull(),
    note: text().notNull().default(''),
    send_at: moment().notNull(),
    /** Another one with each change: jobs and links of an earlier one do nothing. */
    revision: uuid().notNull(),
    /** When the email was handed to the queue, and to the mail server. */
    queued_at: moment(),
    sent_at: moment(),
    failed_at: moment(),
    reminded_at: moment(),
    opened_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    index('purchase_gifts_due')
      .on(t.send_at)
      .where(sql`${t.queued_at} is null`),
    index('purchase_gifts_unopened')
      .on(t.sent_at)
      .where(sql`${t.opened_at} is null and ${t.reminded_at} is null`),
    index('purchase_gifts_of_address').on(sql`lower(${t.email})`),
  ],
)

/** One for each email, so that an email that came twice opens the gift with either. */
export const gift_links = pgTable(
  'gift_links',
  {
    hash: bytes().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchase_gifts.purchase_id, { onDelete: 'cascade' }),
    revision: uuid().notNull(),
    created_at: created_at(),
  },
  (t) => [index('gift_links_of_gift').on(t.purchase_id)],
)
