// The counters of the rate limits.
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { created_at } from '../db/columns.ts'

/** Fixed windows counted in the database, so that all processes share them. Made unlogged: a crash forgets them. */
export const rate_limits = pgTable('rate_limits', {
  key: text().primaryKey(),
  window_start: created_at(),
  hits: integer().notNull().default(1),
})
