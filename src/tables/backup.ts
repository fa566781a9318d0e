// Backups: their runs, and their states at each place.
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'

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
    place: text(),
    orders: integer(),
    files: integer(),
    opened: text(),
    /** PostgreSQL had counted this many changed rows before a backup began. */
    changes: bigint({ mode: 'number' }),
    problems: jsonb()
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'`),
  },
  (t) => [index('backup_runs_newest').on(t.started_at.desc().nullsFirst(), t.id.desc().nullsFirst())],
)

export const backup_states = pgTable(
  'backup_states',
  {
    id: uuid().primaryKey().defaultRandom(),
    place: text().notNull(),
    kind: text({ enum: ['backup', 'rehearsal'] }).notNull(),
    succeeded_at: moment(),
    failing_since: moment(),
    problem: text(),
    /** Rehearsals store the paths of damaged objects here. */
    damaged: jsonb()
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'`),
    created_at: created_at(),
    seen_at: created_at(),
  },
  (t) => [unique('backup_states_place').on(t.place, t.kind)],
)
