import { pgTable, text } from 'drizzle-orm/pg-core'
import { created_at } from './columns.ts'

/** Files that are stored, or about to be, without an owner; a sweep removes the old ones. */
export const unsettled_files = pgTable('unsettled_files', {
  file_path: text().primaryKey(),
  created_at: created_at(),
})
