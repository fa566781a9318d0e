// Backups, rehearsals and restores of this shop, and how each place of backups does.
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
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
    /** Where a rehearsal has read it; of a backup that was made for one place alone, that place. */
    place: text(),
    orders: integer(),
    files: integer(),
    /** Of a rehearsal without the key: objects that were compared with their checksums, and those that have none. */
    checked: integer(),
    unchecked: integer(),
    opened: text(),
    problems: jsonb()
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'`),
  },
  (t) => [index('backup_runs_newest').on(t.started_at.desc().nullsFirst(), t.id.desc().nullsFirst())],
)

/** How backups and rehearsals do at each place, under its label. Not restored: it belongs to the running shop. */
export const backup_states = pgTable(
  'backup_states',
  {
    id: uuid().primaryKey().defaultRandom(),
    place: text().notNull(),
    kind: text({ enum: ['backup', 'rehearsal'] }).notNull(),
    /** When the last good run began; null where there was none. */
    succeeded_at: moment(),
    /** Null where the last run was good. */
    failing_since: moment(),
    problem: text(),
    created_at: created_at(),
    /** A running shop has this place in its settings. */
    seen_at: created_at(),
  },
  (t) => [unique('backup_states_place').on(t.place, t.kind)],
)

/** What is known of an object in a place: the checksum of its bytes as they were written, and whether it is damaged. */
export const backup_objects = pgTable(
  'backup_objects',
  {
    place: text().notNull(),
    path: text().notNull(),
    /** Of the encrypted bytes; null for an object that is not encrypted. */
    sha256: text(),
    size: bigint({ mode: 'number' }),
    damaged_at: moment(),
  },
  (t) => [primaryKey({ columns: [t.place, t.path] })],
)
