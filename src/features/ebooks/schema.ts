// Files that were written and belong to nothing yet.
import { pgTable, text } from 'drizzle-orm/pg-core'
import { created_at } from '#platform/db/columns.ts'

/** Files that were written, or are about to be, and belong to nobody yet: what stays here is swept away. */
export const unsettled_files = pgTable('unsettled_files', {
  file_path: text().primaryKey(),
  created_at: created_at(),
})
