// The tables of the book: its draft and its published versions.
import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'

export const book_draft = pgTable(
  'book_draft',
  {
    id: integer().primaryKey().default(1),
    /** Null when nothing was changed since the newest version was published. */
    document: jsonb(),
    /** Counts the changes, publishing included: who saves names the revision that was changed. */
    revision: integer().notNull(),
    saved_at: moment().notNull(),
    saved_by: text().notNull(),
  },
  () => [check('one_draft', sql`id = 1`)],
)

export const book_versions = pgTable('book_versions', {
  number: integer().primaryKey(),
  document: jsonb().notNull(),
  published_at: created_at(),
  published_by: text().notNull(),
})
