import { sql } from 'drizzle-orm'
import { index, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { auth, users } from './accounts.ts'

/** Unused: the version before, which may run beside, still writes it. To be dropped with the next release. */
export const address_changes = auth.table(
  'address_changes',
  {
    id: uuid().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    old_email: text().notNull(),
    new_email: text().notNull(),
    /** It asked, and stays when the change is confirmed. */
    session_id: uuid(),
    /** SHA-256 of the tokens in the emails to the old address. */
    undo_hashes: text().array().notNull().default([]),
    asked_at: moment().notNull(),
    confirmed_at: moment(),
    expires_at: moment().notNull(),
  },
  (t) => [
    index('address_changes_of_user').on(t.user_id),
    index('address_changes_reserved').on(sql`lower(${t.old_email})`),
  ],
)
