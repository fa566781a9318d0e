import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'
import { purchases } from './purchases.ts'

export const downloads = pgTable(
  'downloads',
  {
    id: uuid().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id),
    file_path: text().notNull(),
    created_at: created_at(),
    started_at: moment(),
    /** Of all ranges together; null where the file is elsewhere, and for downloads from before they were counted. */
    sent_bytes: bigint({ mode: 'number' }),
    finished_at: moment(),
    ip: text(),
    user_agent: text(),
  },
  (t) => [index('downloads_of_purchase').on(t.purchase_id, t.created_at)],
)
