// Backups, rehearsals and restores that were started on this machine.
import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid, integer } from 'drizzle-orm/pg-core'
import { created_at, moment } from '#platform/db/columns.ts'

export const backup_runs = pgTable(
  'backup_runs',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: ['backup', 'rehearsal', 'restore'] }).notNull(),
    started_by: text().notNull(),
    started_at: created_at(),
    finished_at: moment(),
    step: text({ enum: ['tables', 'files'] }),
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    backup: text(),
    /** Where a rehearsal has read it. */
    place: text(),
    orders: integer(),
    files: integer(),
    opened: text(),
    problems: jsonb()
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'`),
  },
  (t) => [index('backup_runs_newest').on(t.started_at.desc().nullsFirst(), t.id.desc().nullsFirst())],
)
