// Runs a backup or a rehearsal under the lock, records its outcome, and deletes backups that are not retained.
import { hourMs } from '#contract/durations.ts'
import { failureReason } from '#platform/errors.ts'
import { and, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import { dayIn } from '#platform/db/query.ts'
import {
  byHour,
  bySchedule,
  backupFailedJob,
  startRun,
  type RunResult,
  type StartedRun,
  readRehearsals,
  type EarlierRehearsal,
} from './backup-runs.ts'
import type { BackupLock } from './backup-lock.ts'
import { readDamagedObjects, recordOutcome, saveDamagedObjects } from './backup-states.ts'
import type { BackupTarget } from './backup-targets.ts'
import { openTargets } from './open-targets.ts'
import { chooseRetained } from './retention.ts'
import { createBackup, type Progress, shopSource } from './create-backup.ts'
import { countChanges } from './backup-tables.ts'
import { dropUnfinishedDatabases } from './side-databases.ts'
import { rehearse } from './rehearse.ts'
import { backup_runs } from '#tables/backup.ts'
import type { BackupShop } from './shop.ts'

type Dependencies = BackupShop
type Started = {
  kind: 'backup' | 'rehearsal'
  started_by: string
  places?: readonly string[]
}

/** The longest: summer time ends. */
const maxDayMs = 25 * hourMs

export async function startBackupRun(services: Dependencies, started: Started): Promise<StartedRun> {
  const { kind, places } = started
  const targets = services.backupTargets().filter(({ label }) => places?.includes(label) ?? true)
  const { id, finished } = await startRun(services, started, async (onProgress, lock) => {
    await dropUnfinished(services)
    if (kind === 'rehearsal') return rehearseOne({ ...services, targets }, onProgress)
    const result = await backUp({ ...services, targets }, onProgress, lock)
    return { ...result, place: places?.join(' and ') }
  })
  // The service that is called expects all places: a copy for one of them says little.
  const isReported = kind === 'rehearsal' || places === undefined || started.started_by === bySchedule
  return { id, finished: finished.then((result) => reportRun(services, id, { result, isReported })) }
}

type Outcome = { result: RunResult | undefined; isReported: boolean }

async function reportRun(services: Dependencies, id: string, { result, isReported }: Outcome) {
  if (result?.problems.length !== 0) await mailProblems(services, id)
  else if (isReported) await ping(services)
  return result
}

async function dropUnfinished({ database, log }: Dependencies): Promise<void> {
  await dropUnfinishedDatabases(database.url).catch((err: unknown) =>
    log.warn({ err }, 'the database of an earlier rehearsal or restore could not be dropped'),
  )
}

type RunNeeds = Dependencies & { targets: readonly BackupTarget[] }

async function backUp(
  services: RunNeeds,
  onProgress: Progress,
  { check: checkLock }: BackupLock,
): Promise<RunResult> {
  const at = services.clock()
  const { opened, failed } = await openTargets(services.db, services.targets)
  const { config, database, storage } = services
  const changes = await countChanges(database.pool)
  const source = shopSource(config, database.url, storage)
  const stores = opened.map(({ store }) => store)
  const giveUp = async (cause?: unknown) => {
    await recordBackups(services, failed, at)
    throw new Error([...failed.values()].join('\n'), { cause })
  }
  if (opened.length === 0) return giveUp()
  const written = await createBackup(source, stores, { onProgress, checkLock }).catch((cause: unknown) => {
    for (const { label } of opened)
      failed.set(label, `There is no backup in ${label}: ${failureReason(cause)}`)
    return giveUp(cause)
  })
  const { name, manifest, failures, refusals } = written
  const problems: string[] = []
  for (const { label, store, retention, damaged } of opened) {
    const failure = failures.get(store)
    if (failure !== undefined) {
      failed.set(label, `There is no backup in ${label}: ${failure}`)
      continue
    }
    const refused = refusals.get(store)
    if (refused !== undefined) failed.set(label, `The backup in ${label} is not whole: ${refused}`)
    try {
      await store.deleteOthers(chooseRetained(await store.list(), retention, name), checkLock)
    } catch (error) {
      problems.push(`Older backups in ${label} could not be removed: ${failureReason(error)}`)
    }
    await saveDamagedObjects(services.db, label, damaged)
  }
  await recordBackups(services, failed, at)
  problems.unshift(...failed.values())
  problems.push(...written.problems)
  // Another run may otherwise remove what this one has found stored.
  await checkLock()
  return { backup: name, orders: manifest.sums.orders, files: manifest.files.length, changes, problems }
}

async function recordBackups(
  { db, log, targets }: RunNeeds,
  failed: Map<string, string>,
  at: Date,
): Promise<void> {
  for (const { label: place } of targets) {
    const problem = failed.get(place)
    if (problem !== undefined) log.error({ place, problem }, 'a place of backups has failed')
    await recordOutcome(db, { place, kind: 'backup', at, problem })
  }
}

async function rehearseOne(services: RunNeeds, onProgress: Progress): Promise<RunResult> {
  const { db, clock, config, database, storage, uploadReader, log } = services
  const at = clock()
  const { label: place, open } = await chooseRehearsed(services.targets, await readRehearsals(db))
  const damaged = await readDamagedObjects(db, place)
  try {
    const source = shopSource(config, database.url, storage)
    const result = await rehearse({ ...source, uploadReader }, await open(damaged), onProgress)
    const problem = result.problems.length > 0 ? result.problems.join('\n') : undefined
    if (problem !== undefined) log.error({ place, problem }, 'the rehearsal of a backup has found problems')
    await recordOutcome(db, { place, kind: 'rehearsal', at, problem })
    return { ...result, place }
  } catch (error) {
    const problem = `${place}: ${failureReason(error)}`
    log.error({ err: error, place }, 'a rehearsal could not be made')
    await recordOutcome(db, { place, kind: 'rehearsal', at, problem })
    return { backup: null, place, orders: null, files: null, problems: [problem] }
  } finally {
    await saveDamagedObjects(db, place, damaged)
  }
}

async function mailProblems(services: Dependencies, run_id: string): Promise<void> {
  const { db, queue, log } = services
  try {
    if (!(await isRepeated(services, run_id))) await queue.enqueue(db, backupFailedJob, { run_id })
  } catch (err) {
    log.error({ err }, 'the email about a failed backup could not be enqueued')
  }
}

/** A failed run is repeated every hour, and mailed once a day. */
async function isRepeated({ db, settings }: Dependencies, id: string): Promise<boolean> {
  const [run] = await db.select().from(backup_runs).where(eq(backup_runs.id, id))
  const automatic = [bySchedule, byHour]
  if (!run || !automatic.includes(run.started_by)) return false
  const earlier = await db
    .select({ started_at: backup_runs.started_at })
    .from(backup_runs)
    .where(
      and(
        eq(backup_runs.kind, run.kind),
        inArray(backup_runs.started_by, automatic),
        ne(backup_runs.problems, []),
        lt(backup_runs.started_at, run.started_at),
        gt(backup_runs.started_at, new Date(run.started_at.getTime() - maxDayMs)),
      ),
    )
  const { time_zone } = settings.get().shop
  const day = dayIn(time_zone, run.started_at)
  return earlier.some(({ started_at }) => dayIn(time_zone, started_at) === day)
}

const timeoutMs = 10_000

async function ping({ config, log }: BackupShop): Promise<void> {
  const { pingUrl } = config.backup
  if (!pingUrl) return
  try {
    const response = await fetch(pingUrl, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    if (!response.ok) log.warn({ status: response.status }, 'BACKUP_PING_URL has refused the call')
  } catch (error) {
    log.warn({ reason: failureReason(error) }, 'BACKUP_PING_URL could not be called')
  }
}

/** The place that was not rehearsed for longest. One that does not respond is passed over: the nightly backup reports it. */
async function chooseRehearsed(
  places: readonly BackupTarget[],
  rehearsals: readonly EarlierRehearsal[],
): Promise<BackupTarget> {
  const result: { place: BackupTarget; last: number }[] = []
  const reasons: string[] = []
  for (const place of places) {
    const listed = await place.list().catch(failureReason)
    if (typeof listed === 'string') reasons.push(`${place.label} cannot be reached: ${listed}`)
    else if (listed.length > 0) {
      const last = rehearsals.find((rehearsal) => rehearsal.place === place.label)
      result.push({ place, last: last?.started_at.getTime() ?? -Infinity })
    }
  }
  const [chosen] = result.toSorted((a, b) => (a.last === b.last ? 0 : a.last - b.last))
  if (chosen) return chosen.place
  throw new Error(['There is no backup yet.', ...reasons].join(' '))
}
