// When the shop backs up and rehearses by itself.
import { and, desc, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { dayIn } from '#platform/db/days.ts'
import { Problem } from '../../problems.ts'
import { listFailingPlaces, seePlaces } from './backup-runs.ts'
import { startBackupRun, type BackupRunNeeds } from './run-backup.ts'
import { backup_runs } from './schema.ts'
import type { Db } from '#platform/db/client.ts'
import { failureReason } from '#platform/errors.ts'
import type { BackupPlace } from './backup-places.ts'

type Kind = 'backup' | 'rehearsal'

const nightHour = 3
const dayMs = 86_400_000
/** Less than a whole day or week, so that the hour does not move on. */
const rehearsalMs = 6.5 * dayMs
const repeatedMs = 0.9 * dayMs

/**
 * Called every hour: a backup each day after three in the night, and each week a rehearsal of one place in turn. A run that
 * fails is tried again at the next call, in the places where it failed; a rehearsal that finds a problem on the next day.
 */
export async function runDueBackup(needs: BackupRunNeeds): Promise<void> {
  const labels = needs.backupPlaces.map(({ label }) => label)
  await seePlaces(needs.db, labels)
  const last = await findLast(needs, 'backup')
  if (isBackupDue(needs.settings.get().shop.time_zone, needs.clock(), last?.started_at)) {
    await run(needs, { kind: 'backup' })
  } else {
    const failing = await listFailingPlaces(needs.db, labels)
    if (failing.length > 0) await run(needs, { kind: 'backup', places: failing })
  }
  const rehearsed = await findDueRehearsal(needs)
  if (rehearsed) await run(needs, { kind: 'rehearsal', places: rehearsed })
}

async function run(needs: BackupRunNeeds, wanted: { kind: Kind; places?: readonly string[] }): Promise<void> {
  try {
    await (
      await startBackupRun(needs, { ...wanted, started_by: 'schedule' })
    ).finished
  } catch (error) {
    // Another machine of the shop, or an admin, has begun one.
    if (!(error instanceof Problem && error.code === 'backups.busy')) throw error
  }
}

export function isBackupDue(time_zone: string, now: Date, last: Date | undefined): boolean {
  const hour = Number(now.toLocaleTimeString('sv-SE', { timeZone: time_zone, hour: '2-digit' }))
  return hour >= nightHour && (!last || dayIn(time_zone, last) < dayIn(time_zone, now))
}

/** The places of which one is rehearsed now. Of several machines, the one that has the newest backup rehearses. */
async function findDueRehearsal(needs: BackupRunNeeds): Promise<string[] | undefined> {
  const [own] = needs.backupPlaces
  const newest = await findLast(needs, 'backup', { ownLabel: own.label })
  if (!newest?.backup) return undefined
  if (!(await own.list()).includes(newest.backup)) return undefined
  const now = needs.clock().getTime()
  const latest = new Date(now + aheadMs)
  const rehearsals = (await readRehearsals(needs.db)).filter(({ started_at }) => started_at <= latest)
  const isOlder = (found: EarlierRehearsal | undefined, ms: number) =>
    !found || now - found.started_at.getTime() >= ms
  const last = (label: string) => rehearsals.find(({ place }) => place === label)
  const labels = needs.backupPlaces.map(({ label }) => label)
  const inTurn = labels.filter((label) => isOlder(last(label), repeatedMs))
  const isWeekOver = isOlder(
    rehearsals.find(({ isClean }) => isClean),
    rehearsalMs,
  )
  if (isWeekOver && inTurn.length > 0) return inTurn
  const failed = labels.filter((label) => {
    const found = last(label)
    return found && !found.isClean && (found.backup === null || isOlder(found, repeatedMs))
  })
  return failed.length > 0 ? failed : undefined
}

/** A clock that was ahead leaves runs in the future, which must not keep the next ones from being due. */
const aheadMs = 2 * 3_600_000

type Last = { started_at: Date; backup: string | null }

/** The last one that came to its end; with `ownLabel`, also one that was made for that place alone. */
async function findLast(
  { db, clock }: Pick<BackupRunNeeds, 'db' | 'clock'>,
  kind: Kind,
  { ownLabel = '' } = {},
): Promise<Last | undefined> {
  const latest = new Date(clock().getTime() + aheadMs)
  const { started_at, backup, place } = backup_runs
  const [last] = await db
    .select({ started_at, backup })
    .from(backup_runs)
    .where(
      and(
        eq(backup_runs.kind, kind),
        isNotNull(backup),
        lte(started_at, latest),
        or(isNull(place), eq(place, ownLabel)),
      ),
    )
    .orderBy(desc(started_at))
    .limit(1)
  return last
}

type EarlierRehearsal = {
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
