// The shop's own backups and rehearsals: by a button, from the shell, and every night.
import { failureReason } from '#platform/failure-reason.ts'
import { and, desc, eq, isNotNull, lte } from 'drizzle-orm'
import { dayIn } from '#platform/db/days.ts'
import type { Config } from '../../config.ts'
import type { Services } from '../../services.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import { backupFailedJob } from './backup-failed-email-job.ts'
import type { BackupLock } from './backup-lock.ts'
import type { BackupPlace, WithBackupPlaces } from './backup-places.ts'
import type { BackupStore } from './backup-store.ts'
import { startRun, type RunResult, type StartedRun } from './backup-runs.ts'
import { createBackup, type Progress } from './create-backup.ts'
import { dropUnfinishedDatabases } from './scratch-database.ts'
import { rehearse } from './rehearse.ts'
import { chooseRetained } from './retention.ts'
import { backup_runs } from './schema.ts'
import { shopSource } from './shop-source.ts'

type Needs = WithBackupPlaces &
  WithUploadReader &
  Pick<Services, 'config' | 'db' | 'database' | 'storage' | 'queue' | 'clock' | 'log'>
type Started = { kind: 'backup' | 'rehearsal'; started_by: string }

/** Throws backups.busy. The author gets an email about a run that fails or finds a problem. */
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
    if (failure === undefined)
      await store.keepOnly(chooseRetained(await store.list(), retention, name), checkLock)
    else problems.push(`There is no backup in ${label}: ${failure}`)
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
  { backupPlaces: [own], config, database, storage, uploadReader }: Needs,
  onProgress: Progress,
): Promise<RunResult> {
  const source = shopSource(config, database.url, storage)
  return rehearse({ ...source, uploadReader }, await own.open(), onProgress)
}

async function mailProblems({ db, queue, log }: Needs, run_id: string, result: RunResult | undefined) {
  if (result?.problems.length === 0) return result
  await queue.enqueue(db, backupFailedJob, { run_id }).catch((err: unknown) => {
    log.error({ err }, 'the email about a failed backup could not be enqueued')
  })
  return result
}

const nightHour = 3
const rehearsalMs = 6.5 * 86_400_000

/** Called every hour: a backup each day after three in the night, and each week a rehearsal of it. */
export async function runDueBackup(needs: Needs): Promise<void> {
  const now = needs.clock()
  const lastBackup = await findLastStart(needs, 'backup')
  if (isBackupDue(needs.config, now, lastBackup)) {
    await (
      await startBackupRun(needs, { kind: 'backup', started_by: 'schedule' })
    ).finished
  }
  const [lastRehearsal, lastWritten] = [
    await findLastStart(needs, 'rehearsal'),
    await findLastStart(needs, 'backup'),
  ]
  if (!lastWritten || (lastRehearsal && now.getTime() - lastRehearsal.getTime() < rehearsalMs)) return
  await (
    await startBackupRun(needs, { kind: 'rehearsal', started_by: 'schedule' })
  ).finished
}

export function isBackupDue(
  { timeZone }: Pick<Config, 'timeZone'>,
  now: Date,
  last: Date | undefined,
): boolean {
  const hour = Number(now.toLocaleTimeString('sv-SE', { timeZone, hour: '2-digit' }))
  return hour >= nightHour && (!last || dayIn(timeZone, last) < dayIn(timeZone, now))
}

/** A clock that was ahead leaves runs in the future, which must not keep the next ones from being due. */
const aheadMs = 2 * 3_600_000

async function findLastStart(
  { db, clock }: Pick<Needs, 'db' | 'clock'>,
  kind: Started['kind'],
): Promise<Date | undefined> {
  const latest = new Date(clock().getTime() + aheadMs)
  const { started_at, finished_at } = backup_runs
  const [last] = await db
    .select({ started_at })
    .from(backup_runs)
    .where(and(eq(backup_runs.kind, kind), isNotNull(finished_at), lte(started_at, latest)))
    .orderBy(desc(started_at))
    .limit(1)
  return last?.started_at
}
