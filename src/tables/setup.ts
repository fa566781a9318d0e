// The table of the setup of the shop.
import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** The row says how far the author is with setting up the shop, so that every step can be left and resumed. */
export const book_setup = pgTable(
  'book_setup',
  {
    id: integer().primaryKey().default(1),
    step: text().notNull(),
    /** The upload with the author's book, and what was read of it; null before it was chosen. */
    file: jsonb(),
    offers: jsonb().notNull(),
    changed_at: moment().notNull(),
  },
  () => [check('one_book_setup', sql`id = 1`)],
)
