// The pictures that authors bring. Their files are in the storage.
import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from '#platform/db/columns.ts'

export const pictures = pgTable(
  'pictures',
  {
    id: uuid().primaryKey(),
    /** Pixels of the whole picture, upright. */
    width: integer().notNull(),
    height: integer().notNull(),
    /** Its files, as they are named below `pictures/{id}/`. */
    renditions: text().array().notNull(),
    /** Since when nothing shows it, as the sweep has found. */
    unused_since: moment(),
    created_at: created_at(),
  },
  (t) => [check('pictures_size', sql`${t.width} > 0 and ${t.height} > 0`)],
)
