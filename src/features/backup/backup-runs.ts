// What was begun: one run at a time in all processes of a shop, with its progress for the admin area.
import { desc, eq } from 'drizzle-orm'
import { WritableClient } from '#platform/db/writable-client.ts'
import type { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { BackupRun, BackupRunKind } from './contract/backups.ts'
import type { Progress } from './create-backup.ts'
import { backup_runs } from './schema.ts'

type Needs = Pick<Services, 'db' | 'database' | 'clock' | 'log'>

export type RunResult = { backup: string; orders: number; files: number; problems: string[] }

type Run = (onProgress: Progress) => Promise<RunResult>

export type StartedRun = { id: string; finished: Promise<RunResult | undefined> }

/** Of PostgreSQL's advisory locks; held by the process that runs, and freed with its connection. */
const lockKey = 0x6c656362
const progressMs = 500
const runsShown = 20

/**
 * Returns as soon as the run is written down. `finished` has its result, undefined when it failed: the run then says why.
 * Throws backups.busy while another one is under way.
 */
export async function startRun(
  needs: Needs,
  { kind, started_by }: { kind: BackupRunKind; started_by: string },
  run: Run,
): Promise<StartedRun> {
  const { db, clock } = needs
  const lock = await takeLock(needs.database.url)
  const id = uuidv7()
  try {
    await db.insert(backup_runs).values({ id, kind, started_by, started_at: clock() })
  } catch (error) {
    await lock.end()
    throw error
  }
  return { id, finished: finish(needs, id, run, lock) }
}

async function finish({ db, clock, log }: Needs, id: string, run: Run, lock: Client) {
  const change = (values: Partial<typeof backup_runs.$inferInsert>) =>
    db.update(backup_runs).set(values).where(eq(backup_runs.id, id))
  let toldAt = 0
  const onProgress: Progress = (step, done, total) => {
    if (Date.now() - toldAt < progressMs) return
    toldAt = Date.now()
    change({ step, done, total }).catch(() => undefined)
  }
  try {
    const result = await run(onProgress)
    await change({ ...result, finished_at: clock() })
    return result
  } catch (error) {
    log.error({ err: error }, 'a backup or its rehearsal failed')
    const problem = error instanceof Error ? error.message : String(error)
    await change({ problems: [problem], finished_at: clock() }).catch(() => undefined)
    return undefined
  } finally {
    await lock.end()
  }
}

async function takeLock(url: string): Promise<Client> {
  const client = new WritableClient({
    connectionString: url,
    application_name: 'lectern backup lock',
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query('select pg_try_advisory_lock($1) as is_taken', [lockKey])
  const [{ is_taken }] = z.tuple([z.object({ is_taken: z.boolean() })]).parse(rows)
  if (is_taken) return client
  await client.end()
  throw new Problem('backups.busy')
}

/** Newest first. A run without an end whose lock is free was cut off. */
export async function listRuns({ db, database }: Pick<Needs, 'db' | 'database'>): Promise<BackupRun[]> {
  const rows = await db
    .select()
    .from(backup_runs)
    .orderBy(desc(backup_runs.started_at), desc(backup_runs.id))
    .limit(runsShown)
  const isBusy = rows.some(({ finished_at }) => !finished_at) && (await isLocked(database))
  return rows.map((row, nth) => toRun(row, isBusy && nth === 0))
}

function toRun(
  { step, done, total, ...row }: typeof backup_runs.$inferSelect,
  isRunning: boolean,
): BackupRun {
  const { id, kind, started_by, started_at, finished_at, backup, orders, files, problems } = row
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
    orders,
    files,
    problems,
  }
}

async function isLocked({ pool }: Pick<Services['database'], 'pool'>): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and granted
      and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  )
  return rowCount === 1
}
