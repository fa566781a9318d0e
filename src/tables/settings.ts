import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { created_at } from './columns.ts'

export const settings = pgTable('settings', {
  name: text().primaryKey(),
  fields: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  revision: integer().notNull(),
  changed_at: created_at(),
  changed_by: text().notNull(),
})
