import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from '#platform/db/columns.ts'

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
    deleted_at: moment(),
  },
  (t) => [index('contact_messages_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst())],
)
