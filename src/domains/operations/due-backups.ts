import { and, desc, eq, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { dayIn } from '#platform/db/days.ts'
import { Problem } from '#platform/problem.ts'
import { listFailingPlaces, readRehearsals, seePlaces, type EarlierRehearsal } from './backup-runs.ts'
import { startBackupRun, type BackupRunNeeds } from './run-backup.ts'
import { backup_runs } from '#tables/backup.ts'

type Kind = 'backup' | 'rehearsal'

const nightHour = 3
const dayMs = 86_400_000
/** Less than a whole day or week, so that the hour does not move on. */
const rehearsalMs = 6.5 * dayMs
const repeatedMs = 0.9 * dayMs

/** A failed run is repeated an hour later where it failed, a rehearsal that finds a problem on the next day. */
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

/** Of several machines, the one that has the newest backup rehearses. */
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
