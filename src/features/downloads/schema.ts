// Links to files that were handed out, and whether they were followed.
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from '#platform/db/columns.ts'
import { purchases } from '../purchases/schema.ts'

export const downloads = pgTable(
  'downloads',
  {
    id: uuid().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id),
    /** Of a file that is stored elsewhere, its address there. */
    file_path: text().notNull(),
    created_at: created_at(),
    /** The first request for the bytes; null while the link was only handed out. */
    started_at: moment(),
    ip: text(),
    user_agent: text(),
  },
  (t) => [index('downloads_of_purchase').on(t.purchase_id, t.created_at)],
)
