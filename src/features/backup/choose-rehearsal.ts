// Which place a rehearsal reads: each in turn.
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { failureReason } from '#platform/failure-reason.ts'
import type { BackupPlace } from './backup-places.ts'
import { backup_runs } from './schema.ts'

export type EarlierRehearsal = {
  /** Null for one that found no place to read. */
  place: string | null
  started_at: Date
  /** The backup that was read; null where it could not be tried. */
  backup: string | null
  /** No problem was found, and nothing was left unchecked. */
  isClean: boolean
}

const readAtMost = 100

/** Newest first. */
export async function readRehearsals(db: Db): Promise<EarlierRehearsal[]> {
  const { place, started_at, finished_at, backup, problems, unchecked, kind } = backup_runs
  const isClean = sql`${problems} = '[]' and coalesce(${unchecked}, 0) = 0`.mapWith(Boolean)
  return db
    .select({ place, started_at, backup, isClean })
    .from(backup_runs)
    .where(and(eq(kind, 'rehearsal'), isNotNull(finished_at)))
    .orderBy(desc(started_at))
    .limit(readAtMost)
}

/**
 * Of the places with a backup, the one that was not rehearsed for longest; the first of them, where several never were. A
 * place that does not respond is passed over: the nightly backup reports it. Throws an Error in plain words where there is
 * none.
 */
export async function chooseRehearsed(
  places: readonly BackupPlace[],
  rehearsals: readonly EarlierRehearsal[],
): Promise<BackupPlace> {
  const found: { place: BackupPlace; last: number }[] = []
  const reasons: string[] = []
  for (const place of places) {
    const listed = await place.list().catch(failureReason)
    if (typeof listed === 'string') reasons.push(`${place.label} cannot be reached: ${listed}`)
    else if (listed.length > 0) {
      const last = rehearsals.find((rehearsal) => rehearsal.place === place.label)
      found.push({ place, last: last?.started_at.getTime() ?? -Infinity })
    }
  }
  const [chosen] = found.toSorted((a, b) => (a.last === b.last ? 0 : a.last - b.last))
  if (chosen) return chosen.place
  throw new Error(['There is no backup yet.', ...reasons].join(' '))
}
