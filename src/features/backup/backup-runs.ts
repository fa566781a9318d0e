// Runs that were started: one at a time in all processes of a shop, with its progress for the admin area.
import { failureReason } from '#platform/failure-reason.ts'
import { desc, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { isBackupLocked, tryBackupLock, type BackupLock } from './backup-lock.ts'
import type { BackupRun, BackupRunKind } from './contract/backups.ts'
import type { Progress } from './create-backup.ts'
import { backup_runs } from './schema.ts'

type Needs = Pick<Services, 'db' | 'database' | 'clock' | 'log'>

export type RunResult = {
  /** Null where the run has failed. */
  backup: string | null
  /** As in the contract. */
  place?: string | undefined
  orders: number | null
  files: number | null
  checked?: number
  unchecked?: number
  /** As in the contract. */
  opened?: string | undefined
  problems: string[]
}

type Run = (onProgress: Progress, lock: BackupLock) => Promise<RunResult>

export type StartedRun = { id: string; finished: Promise<RunResult | undefined> }

const progressMs = 500
const runsShown = 20

/**
 * Returns as soon as the run is stored. `finished` has its result, undefined when it failed: the run then says why.
 * Throws backups.busy while another one is under way.
 */
export async function startRun(
  needs: Needs,
  { kind, started_by }: { kind: BackupRunKind; started_by: string },
  run: Run,
): Promise<StartedRun> {
  const { db, clock } = needs
  const lock = await tryBackupLock(needs.database.url)
  if (!lock) throw new Problem('backups.busy')
  await using undo = new AsyncDisposableStack()
  undo.use(lock)
  const id = uuidv7()
  await db.insert(backup_runs).values({ id, kind, started_by, started_at: clock() })
  return { id, finished: finish(needs, id, (onProgress) => run(onProgress, lock), undo.move()) }
}

async function finish(
  { db, clock, log }: Needs,
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

/** Newest first. A run without an end whose lock is free was cut off. */
export async function listRuns({ db, database }: Pick<Needs, 'db' | 'database'>): Promise<BackupRun[]> {
  // Before and after the rows are read: a run may begin or end meanwhile.
  const isLocked = await isBackupLocked(database.pool)
  const rows = await db
    .select()
    .from(backup_runs)
    .orderBy(desc(backup_runs.started_at), desc(backup_runs.id))
    .limit(runsShown)
  const isBusy = isLocked || (await isBackupLocked(database.pool))
  // Not the first row: the clock of the server that stored it may have been ahead.
  const running = isBusy ? rows.find(({ finished_at }) => !finished_at) : undefined
  return rows.map((row) => toRun(row, row === running))
}

function toRun(
  { step, done, total, ...row }: typeof backup_runs.$inferSelect,
  isRunning: boolean,
): BackupRun {
  const { id, kind, started_by, started_at, finished_at, backup, place, orders, files, opened, problems } =
    row
  const { checked, unchecked } = row
  const ended = backup ? 'done' : 'failed'
  return {
    id,
    kind,
    started_by,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    state: finished_at ? ended : isRunning ? 'running' : 'lost',
    progress: step && !finished_at ? { step, done, total } : null,
    backup,
    place,
    orders,
    files,
    checked,
    unchecked,
    opened,
    problems,
  }
}
