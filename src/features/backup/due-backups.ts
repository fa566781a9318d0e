// When the shop backs up and rehearses by itself.
import { and, desc, eq, isNotNull, lte } from 'drizzle-orm'
import { dayIn } from '#platform/db/days.ts'
import { Problem } from '../../problems.ts'
import { startBackupRun, type BackupRunNeeds } from './run-backup.ts'
import { backup_runs } from './schema.ts'

type Kind = 'backup' | 'rehearsal'

const nightHour = 3
const dayMs = 86_400_000
/** Less than a whole day or week, so that the hour does not move on. */
const rehearsalMs = 6.5 * dayMs
const repeatedMs = 0.9 * dayMs

/**
 * Called every hour: a backup each day after three in the night, and each week a rehearsal of it. A run that fails is
 * tried again at the next call, a rehearsal that finds a problem on the next day.
 */
export async function runDueBackup(needs: BackupRunNeeds): Promise<void> {
  const last = await findLast(needs, 'backup')
  if (isBackupDue(needs.settings.get().shop.time_zone, needs.clock(), last?.started_at))
    await run(needs, 'backup')
  if (await isRehearsalDue(needs)) await run(needs, 'rehearsal')
}

async function run(needs: BackupRunNeeds, kind: Kind): Promise<void> {
  try {
    await (
      await startBackupRun(needs, { kind, started_by: 'schedule' })
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

/** Of several machines, the one that has the newest backup rehearses it. */
async function isRehearsalDue(needs: BackupRunNeeds): Promise<boolean> {
  const newest = await findLast(needs, 'backup')
  const now = needs.clock().getTime()
  const hasRun = (found: Last | undefined, ms: number) => found && now - found.started_at.getTime() < ms
  if (!newest?.backup || hasRun(await findLast(needs, 'rehearsal', { isClean: true }), rehearsalMs))
    return false
  if (hasRun(await findLast(needs, 'rehearsal'), repeatedMs)) return false
  const [own] = needs.backupPlaces
  return (await own.list()).includes(newest.backup)
}

/** A clock that was ahead leaves runs in the future, which must not keep the next ones from being due. */
const aheadMs = 2 * 3_600_000

type Last = { started_at: Date; backup: string | null }

/** The last one that came to its end; with `isClean`, without a problem. */
async function findLast(
  { db, clock }: Pick<BackupRunNeeds, 'db' | 'clock'>,
  kind: Kind,
  { isClean = false } = {},
): Promise<Last | undefined> {
  const latest = new Date(clock().getTime() + aheadMs)
  const { started_at, backup, problems } = backup_runs
  const [last] = await db
    .select({ started_at, backup })
    .from(backup_runs)
    .where(
      and(
        eq(backup_runs.kind, kind),
        isNotNull(backup),
        lte(started_at, latest),
        isClean ? eq(problems, []) : undefined,
      ),
    )
    .orderBy(desc(started_at))
    .limit(1)
  return last
}
