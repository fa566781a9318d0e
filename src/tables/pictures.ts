import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'

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
