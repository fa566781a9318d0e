// The recorded runs of backups and rehearsals, the state of each place, and the lock that lets one run at a time.
import { failureReason } from '#platform/errors.ts'
import { desc, eq, and, inArray, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type BackupShop, backupProblem } from './shop.ts'
import type { BackupRun, BackupRunKind } from '#contract/backup/backups.ts'
import type { Progress } from './create-backup.ts'
import { backup_runs, backup_states } from '#tables/backup.ts'
import { type Db, openClient } from '#platform/db/client.ts'
import type { Client } from 'pg'
import { z } from 'zod'
import { queryRow } from '#platform/db/query.ts'
import { defineMailJob } from '#domains/mail/sending.ts'

export type RunResult = Pick<BackupRun, 'backup' | 'orders' | 'files' | 'problems'> & {
  place?: string | undefined
  changes?: number | null
  checked?: number
  unchecked?: number
  opened?: string | undefined
}

type Run = (onProgress: Progress, lock: BackupLock) => Promise<RunResult>

export type StartedRun = { id: string; finished: Promise<RunResult | undefined> }

/** As `started_by`. */
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

/** In the restored data, so that their list of runs names where they came from. */
export async function recordRestore(db: Db, restore: EndedRestore): Promise<void> {
  await db.insert(backup_runs).values({ id: uuidv7(), kind: 'restore', ...restore })
}

/** A run without an end whose lock is free was cut off. Hourly copies that went well are left out: they would be all. */
export async function listRuns({ db, database }: Pick<BackupShop, 'db' | 'database'>): Promise<BackupRun[]> {
  // Before and after the rows are read: a run may begin or end meanwhile.
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
  // Not the first row: the clock of the server that stored it may have been ahead.
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
  const { place, started_at, finished_at, backup, problems, unchecked, kind } = backup_runs
  const isClean = sql`${problems} = '[]' and coalesce(${unchecked}, 0) = 0`.mapWith(Boolean)
  return db
    .select({ place, started_at, backup, isClean })
    .from(backup_runs)
    .where(and(eq(kind, 'rehearsal'), isNotNull(finished_at)))
    .orderBy(desc(started_at))
    .limit(maxRehearsals)
}

type BackupStateKind = typeof backup_states.$inferSelect.kind

export type BackupState = Awaited<ReturnType<typeof readBackupStates>>[number]

const kinds = ['backup', 'rehearsal'] as const

/** Without `places`, those that running shops have in their settings. */
export async function readBackupStates(db: Db, places?: readonly string[]) {
  const { id, place, kind, succeeded_at, failing_since, problem, created_at } = backup_states
  const age = sql`greatest(0, extract(epoch from now() - coalesce(${succeeded_at}, ${created_at})))`
  return db
    .select({ id, place, kind, succeeded_at, failing_since, problem, age_seconds: age.mapWith(Number) })
    .from(backup_states)
    .where(places ? inArray(place, [...places]) : sql`is_place_in_use(${backup_states.seen_at})`)
    .orderBy(place, kind)
}

export async function markTargetsInUse(db: Db, places: readonly string[]): Promise<void> {
  const values = places.flatMap((place) => kinds.map((kind) => ({ place, kind })))
  await db
    .insert(backup_states)
    .values(values)
    .onConflictDoUpdate({ target: [backup_states.place, backup_states.kind], set: { seen_at: sql`now()` } })
}

export async function listFailingPlaces(db: Db, places: readonly string[]): Promise<string[]> {
  const isFailing = isNotNull(backup_states.failing_since)
  const rows = await db
    .select({ place: backup_states.place })
    .from(backup_states)
    .where(and(eq(backup_states.kind, 'backup'), inArray(backup_states.place, [...places]), isFailing))
  return rows.map(({ place }) => place)
}

type Outcome = { place: string; kind: BackupStateKind; at: Date; problem: string | undefined }

export async function recordOutcome(db: Db, { place, kind, at, problem }: Outcome): Promise<void> {
  const good = { succeeded_at: at, failing_since: null, problem: null }
  const since = sql`coalesce(${backup_states.failing_since}, excluded.failing_since)`
  const [values, set] =
    problem === undefined
      ? [good, good]
      : [
          { failing_since: at, problem },
          { failing_since: since, problem },
        ]
  await db
    .insert(backup_states)
    .values({ place, kind, ...values })
    .onConflictDoUpdate({
      target: [backup_states.place, backup_states.kind],
      set: { ...set, seen_at: sql`now()` },
    })
}

/** A key of PostgreSQL's advisory locks, which end with their connection. */
const lockKey = 0x6c656362
const lockName = 'lectern backup lock'

export type BackupLock = ReturnType<typeof untilEnd>

/** Undefined while another process has it. */
export async function tryBackupLock(url: string): Promise<BackupLock | undefined> {
  const client = await openClient(url, lockName)
  const taken = z.object({ is_taken: z.boolean() })
  const { is_taken } = await queryRow(client, taken, 'select pg_try_advisory_lock($1) as is_taken', [lockKey])
  if (is_taken) return untilEnd(client)
  await client.end()
  return undefined
}

export async function waitForBackupLock(url: string): Promise<BackupLock> {
  const client = await openClient(url, lockName)
  await client.query('select pg_advisory_lock($1)', [lockKey])
  return untilEnd(client)
}

const untilEnd = (client: Client) => ({
  /** Throws where the connection was lost, so that another run may have begun. */
  check: async (): Promise<void> => {
    await client.query('select').catch((cause: unknown) => {
      throw new Error('The connection to the database was lost, so another backup may have begun.', { cause })
    })
  },
  [Symbol.asyncDispose]: () => client.end(),
})

export async function isBackupLocked(pool: Pick<Client, 'query'>): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and granted
      and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  )
  return rowCount === 1
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
