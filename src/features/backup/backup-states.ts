// How backups and rehearsals do at each place, for the admin area, /metrics and `lectern check`.
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { backup_states } from './schema.ts'

type BackupStateKind = typeof backup_states.$inferSelect.kind

export type BackupState = {
  id: string
  /** The label of a place, without credentials. */
  place: string
  kind: BackupStateKind
  /** When the last good run began; null where there was none. */
  succeeded_at: Date | null
  /** Since the last good run, or since the shop knows the place. */
  age_seconds: number
  failing_since: Date | null
  /** Null where the last run was good. */
  problem: string | null
}

const kinds = ['backup', 'rehearsal'] as const

/** Of `places`; else of those that running shops have in their settings, as they say every hour. */
export async function readBackupStates(db: Db, places?: readonly string[]): Promise<BackupState[]> {
  const { id, place, kind, succeeded_at, failing_since, problem, created_at } = backup_states
  return db
    .select({
      id,
      place,
      kind,
      succeeded_at,
      failing_since,
      problem,
      age_seconds:
        sql`greatest(0, extract(epoch from now() - coalesce(${succeeded_at}, ${created_at})))`.mapWith(
          Number,
        ),
    })
    .from(backup_states)
    .where(places ? inArray(place, [...places]) : sql`is_place_in_use(${backup_states.seen_at})`)
    .orderBy(place, kind)
}

/** To be called every hour. */
export async function seePlaces(db: Db, places: readonly string[]): Promise<void> {
  const values = places.flatMap((place) => kinds.map((kind) => ({ place, kind })))
  await db
    .insert(backup_states)
    .values(values)
    .onConflictDoUpdate({ target: [backup_states.place, backup_states.kind], set: { seen_at: sql`now()` } })
}

export async function listFailingPlaces(db: Db, places: readonly string[]): Promise<string[]> {
  const isFailing = isNotNull(backup_states.failing_since)
  const rows = await db
    .select({ place: backup_states.place })
    .from(backup_states)
    .where(and(eq(backup_states.kind, 'backup'), inArray(backup_states.place, [...places]), isFailing))
  return rows.map(({ place }) => place)
}

type Outcome = { place: string; kind: BackupStateKind; at: Date; problem: string | undefined }

/** `at` is when the run began. */
export async function recordOutcome(db: Db, { place, kind, at, problem }: Outcome): Promise<void> {
  const since = sql`coalesce(${backup_states.failing_since}, excluded.failing_since)`
  const set =
    problem === undefined
      ? { succeeded_at: at, failing_since: null, problem: null }
      : { failing_since: since, problem }
  await db
    .insert(backup_states)
    .values({
      place,
      kind,
      ...(problem === undefined ? { succeeded_at: at } : { failing_since: at, problem }),
    })
    .onConflictDoUpdate({
      target: [backup_states.place, backup_states.kind],
      set: { ...set, seen_at: sql`now()` },
    })
}
