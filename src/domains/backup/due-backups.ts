// Backups and rehearsals run when they are due: every night, every week, and hourly to the second place.
import { and, desc, eq, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { dayMs, hourMs } from '#contract/durations.ts'
import { dayIn } from '#platform/db/query.ts'
import { Problem } from '#platform/problem.ts'
import { backup_runs } from '#tables/backup.ts'
import { byHour, bySchedule, readRehearsals, type EarlierRehearsal } from './backup-runs.ts'
import { listFailingPlaces, markTargetsInUse } from './backup-states.ts'
import { countChanges } from './backup-tables.ts'
import { startBackupRun } from './run-backup.ts'
import type { BackupShop } from './shop.ts'
import { findLatest, hourlyPauseMs, readHourly } from './hourly-copies.ts'

type Kind = 'backup' | 'rehearsal'

const nightHour = 3
/** Less than a whole day or week, so that the hour does not move on. */
const rehearsalMs = 6.5 * dayMs
const repeatedMs = 0.9 * dayMs

/** A failed run is repeated an hour later where it failed, a rehearsal that finds a problem on the next day. */
export async function runDueBackup(services: BackupShop): Promise<void> {
  const labels = services.backupTargets().map(({ label }) => label)
  await markTargetsInUse(services.db, labels)
  const last = await findLast(services, 'backup')
  if (isBackupDue(services.settings.get().shop.time_zone, services.clock(), last?.started_at)) {
    await run(services, { kind: 'backup' })
  } else {
    const failing = await listFailingPlaces(services.db, labels)
    if (failing.length > 0) await run(services, { kind: 'backup', places: failing })
    else await copyHourly(services)
  }
  const rehearsed = await findDueRehearsal(services)
  if (rehearsed) await run(services, { kind: 'rehearsal', places: rehearsed })
}

async function run(
  services: BackupShop,
  request: { kind: Kind; places?: readonly string[]; started_by?: string },
): Promise<void> {
  try {
    await (
      await startBackupRun(services, { started_by: bySchedule, ...request })
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

/** The machine that has the newest backup rehearses. */
async function findDueRehearsal(services: BackupShop): Promise<string[] | undefined> {
  const [own] = services.backupTargets()
  const newest = await findLast(services, 'backup', { ownLabel: own.label })
  if (!newest?.backup) return undefined
  if (!(await own.list()).includes(newest.backup)) return undefined
  const now = services.clock().getTime()
  const latest = new Date(now + aheadMs)
  const rehearsals = (await readRehearsals(services.db)).filter(({ started_at }) => started_at <= latest)
  const isOlder = (earlierRehearsal: EarlierRehearsal | undefined, ms: number) =>
    !earlierRehearsal || now - earlierRehearsal.started_at.getTime() >= ms
  const last = (label: string) => rehearsals.find(({ place }) => place === label)
  const labels = services.backupTargets().map(({ label }) => label)
  const inTurn = labels.filter((label) => isOlder(last(label), repeatedMs))
  const isWeekOver = isOlder(
    rehearsals.find(({ isClean }) => isClean),
    rehearsalMs,
  )
  if (isWeekOver && inTurn.length > 0) return inTurn
  const failed = labels.filter((label) => {
    const result = last(label)
    return result && !result.isClean && (result.backup === null || isOlder(result, repeatedMs))
  })
  return failed.length > 0 ? failed : undefined
}

/** A clock that was ahead leaves runs in the future, which must not keep the next ones from being due. */
const aheadMs = 2 * hourMs

type Last = { started_at: Date; backup: string | null }

async function findLast(
  { db, clock }: Pick<BackupShop, 'db' | 'clock'>,
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

async function copyHourly(services: BackupShop): Promise<void> {
  const [, second] = services.backupTargets()
  if (!second || (await readHourly(services, second)) !== 'on') return
  const latest = await findLatest(services, second.label)
  if (latest && services.clock().getTime() - latest.started_at.getTime() < hourlyPauseMs) return
  const changes = await countChanges(services.database.pool)
  if (latest && changes !== null && changes === latest.changes) return
  await run(services, { kind: 'backup', places: [second.label], started_by: byHour })
}
