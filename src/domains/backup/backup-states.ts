// The state of each place of backups: since when its backups or rehearsals fail, why, and what is damaged there.
import { eq, and, inArray, isNotNull, sql } from 'drizzle-orm'
import { backup_states } from '#tables/backup.ts'
import type { Db } from '#platform/db/client.ts'

type BackupStateKind = typeof backup_states.$inferSelect.kind

export type BackupState = Awaited<ReturnType<typeof readBackupStates>>[number]

const kinds = ['backup', 'rehearsal'] as const

/** Reads the places that running shops have in their settings unless `places` are named. */
export async function readBackupStates(db: Db, places?: readonly string[]) {
  const { id, place, kind, succeeded_at, failing_since, problem, created_at } = backup_states
  const age = sql`greatest(0, extract(epoch from now() - coalesce(${succeeded_at}, ${created_at})))`
  return db
    .select({ id, place, kind, succeeded_at, failing_since, problem, age_seconds: age.mapWith(Number) })
    .from(backup_states)
    .where(places ? inArray(place, [...places]) : sql`is_place_in_use(${backup_states.seen_at})`)
    .orderBy(place, kind)
}

export async function markTargetsInUse(db: Db, places: readonly string[]): Promise<void> {
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

export async function recordOutcome(db: Db, { place, kind, at, problem }: Outcome): Promise<void> {
  const good = { succeeded_at: at, failing_since: null, problem: null }
  const since = sql`coalesce(${backup_states.failing_since}, excluded.failing_since)`
  const [values, set] =
    problem === undefined
      ? [good, good]
      : [
          { failing_since: at, problem },
          { failing_since: since, problem },
        ]
  await db
    .insert(backup_states)
    .values({ place, kind, ...values })
    .onConflictDoUpdate({
      target: [backup_states.place, backup_states.kind],
      set: { ...set, seen_at: sql`now()` },
    })
}

/** Paths of the objects in a place that its rehearsals have found damaged, and that no backup has written again. */
export async function readDamagedObjects(db: Db, place: string): Promise<Set<string>> {
  const { damaged } = backup_states
  const [state] = await db.select({ damaged }).from(backup_states).where(isOfRehearsals(place))
  return new Set(state?.damaged)
}

/** A rehearsal has recorded its outcome wherever there are damaged objects, so the row exists. */
export async function saveDamagedObjects(db: Db, place: string, paths: ReadonlySet<string>): Promise<void> {
  await db
    .update(backup_states)
    .set({ damaged: [...paths] })
    .where(isOfRehearsals(place))
}

const isOfRehearsals = (place: string) =>
  and(eq(backup_states.place, place), eq(backup_states.kind, 'rehearsal'))
