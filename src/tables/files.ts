// The tables of stored pictures, and of files that have no owner yet.
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'
import { sql } from 'drizzle-orm'

/** Files that are stored, or about to be, without an owner; a sweep removes the old ones. */
export const unsettled_files = pgTable('unsettled_files', {
  file_path: text().primaryKey(),
  created_at: created_at(),
})

export const pictures = pgTable(
  'pictures',
  {
    id: uuid().primaryKey(),
    width: integer().notNull(),
    height: integer().notNull(),
    renditions: text().array().notNull(),
    unused_since: moment(),
    created_at: created_at(),
  },
  (t) => [check('pictures_size', sql`${t.width} > 0 and ${t.height} > 0`)],
)
