import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { created_at } from './columns.ts'

/** Unlogged: a crash deletes them. */
export const rate_limits = pgTable('rate_limits', {
  key: text().primaryKey(),
  window_start: created_at(),
  hits: integer().notNull().default(1),
})
