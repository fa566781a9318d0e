// The shop's own backups and rehearsals: by a button, from the shell, and every night.
import { failureReason } from '#platform/failure-reason.ts'
import { and, eq, gt, lt, ne } from 'drizzle-orm'
import { dayIn } from '#platform/db/days.ts'
import type { Services } from '../../services.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import { backupFailedJob } from './backup-failed-email-job.ts'
import type { BackupLock } from './backup-lock.ts'
import type { BackupPlace, WithBackupPlaces } from './backup-places.ts'
import type { BackupStore } from './backup-store.ts'
import { startRun, type RunResult, type StartedRun } from './backup-runs.ts'
import { createBackup, type Progress } from './create-backup.ts'
import { dropUnfinishedDatabases } from './scratch-database.ts'
import { findNewest } from './find-newest.ts'
import { rehearse } from './rehearse.ts'
import { chooseRetained } from './retention.ts'
import { backup_runs } from './schema.ts'
import { shopSource } from './shop-source.ts'

export type BackupRunNeeds = WithBackupPlaces &
  WithUploadReader &
  Pick<Services, 'config' | 'settings' | 'db' | 'database' | 'storage' | 'queue' | 'clock' | 'log'>
type Needs = BackupRunNeeds
type Started = { kind: 'backup' | 'rehearsal'; started_by: string }

/** The longest: summer time ends. */
const longestDayMs = 25 * 3_600_000

/** The author gets an email about a run that fails or finds a problem. */
export async function startBackupRun(needs: Needs, started: Started): Promise<StartedRun> {
  const run = started.kind === 'backup' ? backUp : rehearseNewest
  const { id, finished } = await startRun(needs, started, async (onProgress, lock) => {
    await dropUnfinished(needs)
    return run(needs, onProgress, lock)
  })
  return { id, finished: finished.then((result) => mailProblems(needs, id, result)) }
}

/** A backup needs no database beside the shop's, so one that cannot be dropped does not keep it from being made. */
async function dropUnfinished({ database, log }: Needs): Promise<void> {
  await dropUnfinishedDatabases(database.url).catch((err: unknown) =>
    log.warn({ err }, 'the database of an earlier rehearsal or restore could not be dropped'),
  )
}

/** A place that fails is a problem of the run; the others get their backup. */
async function backUp(
  needs: Needs,
  onProgress: Progress,
  { check: checkLock }: BackupLock,
): Promise<RunResult> {
  const { opened, problems } = await openPlaces(needs)
  const stores = opened.map(({ store }) => store)
  const { config, database, storage } = needs
  const source = shopSource(config, database.url, storage)
  const { name, manifest, failures, ...written } = await createBackup(source, stores, {
    onProgress,
    checkLock,
  })
  for (const { label, store, retention } of opened) {
    const failure = failures.get(store)
    if (failure !== undefined) {
      problems.push(`There is no backup in ${label}: ${failure}`)
      continue
    }
    try {
      await store.keepOnly(chooseRetained(await store.list(), retention, name), checkLock)
    } catch (error) {
      problems.push(`Older backups in ${label} could not be removed: ${failureReason(error)}`)
    }
  }
  problems.push(...written.problems)
  // Else what this run has found stored may be removed by another one.
  await checkLock()
  return { backup: name, orders: manifest.sums.orders, files: manifest.files.length, problems }
}

async function openPlaces({ backupPlaces }: WithBackupPlaces) {
  const opened: (BackupPlace & { store: BackupStore })[] = []
  const problems: string[] = []
  for (const place of backupPlaces) {
    try {
      opened.push({ ...place, store: await place.open() })
    } catch (error) {
      problems.push(`${place.label} cannot be opened: ${failureReason(error)}`)
    }
  }
  return { opened, problems }
}

async function rehearseNewest(
  { backupPlaces, config, database, storage, uploadReader }: Needs,
  onProgress: Progress,
): Promise<RunResult> {
  const { label, open } = await findNewest(backupPlaces)
  const source = shopSource(config, database.url, storage)
  return { ...(await rehearse({ ...source, uploadReader }, await open(), onProgress)), place: label }
}

async function mailProblems(needs: Needs, run_id: string, result: RunResult | undefined) {
  if (result?.problems.length === 0) return result
  const { db, queue, log } = needs
  try {
    if (!(await isRepeated(needs, run_id))) await queue.enqueue(db, backupFailedJob, { run_id })
  } catch (err) {
    log.error({ err }, 'the email about a failed backup could not be enqueued')
  }
  return result
}

/** Whether the schedule had a run with problems before on the same day: one that failed is tried again every hour. */
async function isRepeated({ db, settings }: Needs, id: string): Promise<boolean> {
  const [run] = await db.select().from(backup_runs).where(eq(backup_runs.id, id))
  if (run?.started_by !== 'schedule') return false
  const earlier = await db
    .select({ started_at: backup_runs.started_at })
    .from(backup_runs)
    .where(
      and(
        eq(backup_runs.kind, run.kind),
        eq(backup_runs.started_by, run.started_by),
        ne(backup_runs.problems, []),
        lt(backup_runs.started_at, run.started_at),
        gt(backup_runs.started_at, new Date(run.started_at.getTime() - longestDayMs)),
      ),
    )
  const { time_zone } = settings.get().shop
  const day = dayIn(time_zone, run.started_at)
  return earlier.some(({ started_at }) => dayIn(time_zone, started_at) === day)
}
