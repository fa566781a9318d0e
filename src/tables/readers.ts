// The tables of messages, replies, stock answers, and moved purchases.
import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment, bytes } from './columns.ts'
import { purchases } from './orders.ts'

export const contact_messages = pgTable(
  'contact_messages',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    created_at: created_at(),
    read_at: moment(),
    /** The last reply was written then. */
    answered_at: moment(),
    done_at: moment(),
    deleted_at: moment(),
  },
  (t) => [
    index('contact_messages_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('contact_messages_of_writer').on(t.email, t.created_at),
    index('contact_messages_waiting')
      .on(t.created_at)
      .where(sql`${t.answered_at} is null and ${t.done_at} is null and ${t.deleted_at} is null`),
  ],
)

/** The id is that of the job that mails it, and of its row in `mails`. */
export const message_replies = pgTable(
  'message_replies',
  {
    id: uuid().primaryKey(),
    message_id: uuid()
      .notNull()
      .references(() => contact_messages.id, { onDelete: 'cascade' }),
    body: text().notNull(),
    created_at: created_at(),
  },
  (t) => [index('message_replies_of_message').on(t.message_id)],
)

export const reply_snippets = pgTable('reply_snippets', {
  id: uuid().primaryKey(),
  title: text().notNull(),
  body: text().notNull(),
  created_at: created_at(),
})

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
    /** The hash is that of the token with which the former owner may object; null once that was done. */
    objection_hash: bytes().unique(),
    objected_at: moment(),
    created_at: created_at(),
  },
  (t) => [index('purchase_moves_of_purchase').on(t.purchase_id, t.created_at)],
)
