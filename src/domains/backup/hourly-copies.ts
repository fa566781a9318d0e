// Hourly copies to the second place: whether they are on, and the last backup that is there.
import { and, desc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { minuteMs } from '#contract/durations.ts'
import { backup_runs } from '#tables/backup.ts'
import type { BackupTarget } from './backup-targets.ts'
import type { BackupShop } from './shop.ts'

/** Less than an hour, so that the hour does not move on; of several processes, one makes the copy. */
export const hourlyPauseMs = 55 * minuteMs
const maxHourlyMs = 5 * minuteMs

type LatestBackup = Pick<typeof backup_runs.$inferSelect, 'started_at' | 'finished_at' | 'changes'>

export async function findLatest(
  { db, backupTargets }: BackupShop,
  label: string,
): Promise<LatestBackup | undefined> {
  const [own] = backupTargets()
  const namings = [label, `${own.label} and ${label}`, `${label} and ${own.label}`]
  const { started_at, finished_at, changes, place, kind, backup } = backup_runs
  const [latest] = await db
    .select({ started_at, finished_at, changes })
    .from(backup_runs)
    .where(
      and(
        eq(kind, 'backup'),
        isNotNull(backup),
        isNotNull(finished_at),
        // A run that names no place was for all.
        or(isNull(place), inArray(place, namings)),
      ),
    )
    .orderBy(desc(started_at))
    .limit(1)
  return latest
}

export type Hourly = 'on' | 'off' | 'same_disk' | 'slow'

/** Says whether changes are copied to this place each hour; undefined for the shop's own folder. */
export async function readHourly(
  services: BackupShop,
  { isOwn, label, isSameDisk }: BackupTarget,
): Promise<Hourly | undefined> {
  if (isOwn) return undefined
  if (!services.settings.get().backups.is_hourly) return 'off'
  if (await isSameDisk()) return 'same_disk'
  const { started_at, finished_at } = (await findLatest(services, label)) ?? {}
  const ms = started_at && finished_at ? finished_at.getTime() - started_at.getTime() : 0
  return ms > maxHourlyMs ? 'slow' : 'on'
}
