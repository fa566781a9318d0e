// The recorded runs of backups, rehearsals and restores.
import { failureReason } from '#platform/errors.ts'
import { desc, eq, and, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type BackupShop, backupProblem } from './shop.ts'
import type { BackupRun, BackupRunKind } from '#contract/backup/backups.ts'
import type { Progress } from './create-backup.ts'
import { backup_runs } from '#tables/backup.ts'
import type { Db } from '#platform/db/client.ts'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/sending.ts'
import { type BackupLock, tryBackupLock, isBackupLocked } from './backup-lock.ts'

export type RunResult = Pick<BackupRun, 'backup' | 'orders' | 'files' | 'problems'> & {
  place?: string | undefined
  changes?: number | null
  opened?: string | undefined
}

type Run = (onProgress: Progress, lock: BackupLock) => Promise<RunResult>

export type StartedRun = { id: string; finished: Promise<RunResult | undefined> }

/** These are values of `started_by`. */
export const bySchedule = 'schedule'
export const byHour = 'hourly'

const progressMs = 500
const runsShown = 20

/** `finished` is undefined where the run failed: the run then says why. */
export async function startRun(
  services: BackupShop,
  { kind, started_by }: { kind: BackupRunKind; started_by: string },
  run: Run,
): Promise<StartedRun> {
  const { db, clock } = services
  const lock = await tryBackupLock(services.database.url)
  if (!lock) throw backupProblem('backups.busy')
  await using undo = new AsyncDisposableStack()
  undo.use(lock)
  const id = uuidv7()
  await db.insert(backup_runs).values({ id, kind, started_by, started_at: clock() })
  return { id, finished: finish(services, id, (onProgress) => run(onProgress, lock), undo.move()) }
}

async function finish(
  { db, clock, log }: BackupShop,
  id: string,
  run: (onProgress: Progress) => Promise<RunResult>,
  lock: AsyncDisposable,
) {
  await using _untilEnd = lock
  const change = (values: Partial<typeof backup_runs.$inferInsert>) =>
    db.update(backup_runs).set(values).where(eq(backup_runs.id, id))
  let writtenAt = 0
  const onProgress: Progress = (step, done, total) => {
    if (Date.now() - writtenAt < progressMs) return
    writtenAt = Date.now()
    change({ step, done, total }).catch(() => undefined)
  }
  try {
    const result = await run(onProgress)
    await change({ ...result, finished_at: clock() })
    return result
  } catch (error) {
    log.error({ err: error }, 'a backup or its rehearsal failed')
    const problem = failureReason(error)
    await change({ problems: [problem], finished_at: clock() }).catch(() => undefined)
    return undefined
  }
}

type EndedRestore = Pick<
  typeof backup_runs.$inferInsert,
  'backup' | 'orders' | 'files' | 'started_by' | 'started_at' | 'finished_at'
>

/** The restored data get the run, so that their list of runs names where they came from. */
export async function recordRestore(db: Db, restore: EndedRestore): Promise<void> {
  await db.insert(backup_runs).values({ id: uuidv7(), kind: 'restore', ...restore })
}

/** A run without an end whose lock is free was cut off. Hourly copies that went well are left out: they would be all. */
export async function listRuns({ db, database }: Pick<BackupShop, 'db' | 'database'>): Promise<BackupRun[]> {
  // The lock is looked at before and after the rows are read: a run may begin or end meanwhile.
  const isLocked = await isBackupLocked(database.pool)
  const rows = await db
    .select()
    .from(backup_runs)
    .where(
      sql`not (${backup_runs.started_by} = ${byHour} and ${backup_runs.problems} = '[]' and ${backup_runs.backup} is not null)`,
    )
    .orderBy(desc(backup_runs.started_at), desc(backup_runs.id))
    .limit(runsShown)
  const isBusy = isLocked || (await isBackupLocked(database.pool))
  // The first row need not be the one: the clock of the server that stored it may have been ahead.
  const running = isBusy ? rows.find(({ finished_at }) => !finished_at) : undefined
  return rows.map((row) => toRun(row, row === running))
}

function toRun(
  { step, done, total, started_at, finished_at, changes: _changes, ...row }: typeof backup_runs.$inferSelect,
  isRunning: boolean,
): BackupRun {
  const ended = row.backup ? 'done' : 'failed'
  return {
    ...row,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    state: finished_at ? ended : isRunning ? 'running' : 'lost',
    progress: step && !finished_at ? { step, done, total } : null,
  }
}

export type EarlierRehearsal = Awaited<ReturnType<typeof readRehearsals>>[number]

const maxRehearsals = 100

export async function readRehearsals(db: Db) {
  const { place, started_at, finished_at, backup, problems, kind } = backup_runs
  const isClean = sql`${problems} = '[]'`.mapWith(Boolean)
  return db
    .select({ place, started_at, backup, isClean })
    .from(backup_runs)
    .where(and(eq(kind, 'rehearsal'), isNotNull(finished_at)))
    .orderBy(desc(started_at))
    .limit(maxRehearsals)
}

export const backupFailedJob = defineMailJob({
  name: 'mail.backup-failed',
  kinds: ['backup_failed'],
  payload: z.object({ run_id: z.uuid() }),
  async compose({ db, settings }, { run_id }, branding) {
    const [run] = await db.select().from(backup_runs).where(eq(backup_runs.id, run_id))
    if (!run || !settings.get().author_emails.failures) return undefined
    const { backupFailedEmail } = await import('./backup-runs.emails.ts')
    const email = await backupFailedEmail({ ...run, branding })
    return { kind: 'backup_failed', email: { ...email, to: branding.authorEmail } }
  },
})
