// Jobs join the transaction that enqueues them.
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { JobWithMetadata, Db as BossDb } from 'pg-boss'
import {
  isUnavailable,
  type Db,
  type Transaction,
  markLostConnection,
  sessionSettings,
  WritableClient,
} from './db/client.ts'
import { z } from 'zod'
import { daySeconds, hourSeconds } from '#contract/durations.ts'
import { queryFirst, queryAll, queryRow } from './db/query.ts'
import type { Log } from './log.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type Client } from 'pg'
import { listen } from './db/listen.ts'

export type Queue = {
  /** `id`: where the caller needs to find what became of the job. `priority`: the highest is taken first; else 0. */
  enqueue<Payload extends object>(
    db: Db | Transaction,
    job: Job<Payload>,
    payload: Payload,
    options?: { id?: string; priority?: number },
  ): Promise<void>
  isUnderWay<Payload>(job: Job<Payload>, field: FieldOf<Payload>, value: SQLWrapper): SQL
  tryAgain(db: Db | Transaction, id: string): Promise<boolean>
  isDone(id: SQLWrapper): SQL
  /** Enqueued, waiting for a retry, or running. */
  isToRun(id: SQLWrapper): SQL
  runAgain(db: Db | Transaction, id: string): Promise<boolean>
  /** A postponed job. */
  runSoon(db: Db | Transaction, id: string): Promise<void>
  /** A postponed job keeps its hour, and may be postponed again. */
  forgetPostponed(db: Db | Transaction, id: string): Promise<void>
  /** Enqueues it as a new job. False where the completed one is not there any more. */
  repeat(db: Db | Transaction, id: string): Promise<boolean>
  /** A clock that was ahead leaves jobs and maintenance due in the far future. */
  rescheduleOverdue(db: Db): Promise<void>
  start(jobs: readonly BoundJob[]): Promise<void>
  work(run: (job: BoundJob, payload: unknown, attempt: JobAttempt) => Promise<void>): Promise<void>
  stop(timeout?: number): Promise<void>
}

type FieldOf<Payload> = Payload extends unknown ? keyof Payload & string : never

const doneJob = z.object({
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
  deletion_seconds: z.number(),
})

/** The priority marks a job that was postponed, once. pg-boss then completes only jobs that are active. */
const postponed = -1
const postpone = `
  update pgboss.job set state = 'retry', start_after = now() + make_interval(secs => $3), priority = ${postponed}, heartbeat_on = null
  where name = $1 and id = $2 and state = 'active'`
const maxPauseSeconds = 6 * 3600

/** 25 attempts over about three days: after 5 s, 10 s, 20 s … at most 6 h. */
const attempts = {
  retryLimit: 24,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: maxPauseSeconds,
  expireInSeconds: 120,
  retentionSeconds: 30 * daySeconds,
  deleteAfterSeconds: 30 * daySeconds,
  /** A job whose process has died is retried after this. */
  heartbeatSeconds: 15,
  notify: true,
}

/** So many seconds pass at least before the queue runs a job again whose attempt of this number has failed. */
export const shortestPause = (number: number) =>
  Math.min(maxPauseSeconds, attempts.retryDelay * 2 ** (number - 1))

/** Workers listen for new jobs, and poll only for retries. */
const taking = {
  includeMetadata: true,
  perJobResults: true,
  batchSize: 4,
  burstWhenBatchFull: true,
  localConcurrency: 2,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
} as const

/** pg-boss reports copies of errors, which are no Error. */
function toLost(reported: Error): Error {
  const code = 'code' in reported ? reported.code : undefined
  const error = Object.assign(new Error(reported.message), { code })
  if (isUnavailable(error)) markLostConnection(error)
  return error
}

export function openQueue(url: string, log: Log): Queue {
  const started = Promise.withResolvers<Awaited<ReturnType<typeof start>>>()
  started.promise.catch(() => {})
  let isStarted = false
  let startedJobs: readonly BoundJob[] = []

  async function start() {
    const { fromDrizzle, PgBoss } = await import('pg-boss')
    const database = openQueueDatabase(url, log)
    const boss = new PgBoss({
      db: database,
      superviseIntervalSeconds: 15,
      useListenNotify: true,
      reindex: false,
    })
    boss.on('error', (error) => log.warn({ err: toLost(error) }, 'the job queue had trouble and goes on'))
    try {
      await boss.start()
      const existing = new Set((await boss.getQueues()).map(({ name }) => name))
      const missing = startedJobs.filter(({ name }) => !existing.has(name))
      for (const { name } of missing) await boss.createQueue(name, attempts)
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined)
      await database.close()
      throw error
    }
    return { boss, database, fromDrizzle }
  }

  function isNamed(id: SQLWrapper): SQL {
    const names = startedJobs.map(({ name }) => name)
    return sql`j.name = any(${sql.param(names)}::text[]) and j.id = ${id}`
  }

  function findDone(db: Db | Transaction, id: string) {
    const query = sql`
      select name, data, deletion_seconds from pgboss.job j where ${isNamed(sql`${id}`)} and state = 'completed'`
    return queryFirst(db, doneJob, query)
  }

  const enqueue: Queue['enqueue'] = async (db, job, payload, options) => {
    const { boss, fromDrizzle } = await started.promise
    const { maxPauseSeconds: pause, retentionDays } = job
    await boss.send(job.name, job.payload.parse(payload), {
      db: fromDrizzle(db, sql),
      ...options,
      ...(pause && { retryBackoff: true, retryDelayMax: pause }),
      ...(retentionDays && { deleteAfterSeconds: retentionDays * daySeconds }),
    })
  }

  return {
    enqueue,
    isUnderWay: ({ name }, field, value) => sql`exists (
      select from pgboss.job j where j.name = ${name} and j.state < 'completed' and j.data ->> ${field} = ${value})`,
    async tryAgain(db, id) {
      const { boss, fromDrizzle } = await started.promise
      const options = { db: fromDrizzle(db, sql) }
      for (const { name } of startedJobs) {
        const [row] = await boss.findJobs(name, { id, ...options })
        if (row) await boss.retry(name, id, options)
        if (row) return row.state === 'failed'
      }
      return false
    },
    isDone: (id) => sql`exists (select from pgboss.job j where ${isNamed(id)} and j.state = 'completed')`,
    isToRun: (id) => sql`exists (select from pgboss.job j where ${isNamed(id)} and j.state < 'completed')`,
    async runAgain(db, id) {
      const { boss, fromDrizzle } = await started.promise
      const options = { db: fromDrizzle(db, sql) }
      const job = await findDone(db, id)
      if (!job) return false
      await boss.deleteJob(job.name, id, options)
      await boss.send(job.name, job.data, { id, deleteAfterSeconds: job.deletion_seconds, ...options })
      return true
    },
    async runSoon(db, id) {
      await db.execute(sql`
        update pgboss.job j set start_after = now(), priority = 0 where ${isNamed(sql`${id}`)} and state < 'active'`)
    },
    async forgetPostponed(db, id) {
      await db.execute(sql`
        update pgboss.job j set priority = 0 where ${isNamed(sql`${id}`)} and state < 'active'`)
    },
    async repeat(db, id) {
      const { boss, fromDrizzle } = await started.promise
      const job = await findDone(db, id)
      if (!job) return false
      const { name, data, deletion_seconds: deleteAfterSeconds } = job
      await boss.send(name, data, { deleteAfterSeconds, db: fromDrizzle(db, sql) })
      return true
    },
    async rescheduleOverdue(db) {
      const latest = sql`now() + make_interval(secs => ${2 * maxPauseSeconds})`
      await db.execute(
        sql`update pgboss.job set start_after = now() where state < 'active' and start_after > ${latest}`,
      )
      await db.execute(sql`
        update pgboss.queue set monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
        where monitor_on > ${latest} or maintain_on > ${latest}`)
    },
    async start(jobs) {
      startedJobs = jobs
      isStarted = true
      start().then(started.resolve, started.reject)
      await started.promise
    },
    async work(run) {
      async function runTaken(job: BoundJob, taken: JobWithMetadata<unknown>) {
        const { id, data, retryCount, retryLimit, priority } = taken
        const wasPostponed = priority === postponed
        const attempt = { id, number: retryCount + 1, isLast: retryCount >= retryLimit, wasPostponed }
        try {
          await run(job, data, attempt)
          return { id, status: 'completed' as const }
        } catch (error) {
          if (error instanceof Postponed) {
            const { database } = await started.promise
            await database.executeSql(postpone, [job.name, id, error.seconds])
            return { id, status: 'completed' as const }
          }
          // pg-boss's word for failed without a retry.
          const status = error instanceof PermanentFailure ? ('deadletter' as const) : ('failed' as const)
          return { id, status, output: error }
        }
      }
      const { boss } = await started.promise
      for (const job of startedJobs) {
        // A batch of one would wait for the next poll after each job.
        if (job.isSequential)
          await boss.work(job.name, { ...taking, localConcurrency: 1 }, async (batch) => {
            const results = []
            for (const taken of batch) results.push(await runTaken(job, taken))
            return results
          })
        else
          await boss.work(job.name, taking, (batch) =>
            Promise.all(batch.map((taken) => runTaken(job, taken))),
          )
      }
    },
    async stop(timeout = 3_000) {
      const running = isStarted ? await started.promise.catch(() => undefined) : undefined
      if (!running) return
      const { boss, database } = running
      // Asks each worker: pg-boss itself looks only every half second whether its workers have ended.
      const ended = Promise.all(startedJobs.map(({ name }) => boss.offWork(name, { wait: true })))
      await Promise.race([ended, sleep(timeout, undefined, { ref: false })])
      await boss.stop({ graceful: false })
      await database.close()
    },
  }
}

/** pg-boss deletes old jobs in one statement. */
const queryMs = 60_000

const application_name = 'lectern jobs'

function openQueueDatabase(url: string, log: Log) {
  const pool = new Pool({
    connectionString: url,
    Client: WritableClient,
    max: 3,
    application_name,
    connectionTimeoutMillis: 10_000,
    query_timeout: queryMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: (client) => client.query(sessionSettings),
  })
  // An error without a listener would end the process; the next query gets it.
  pool.on('error', (error) => log.debug({ err: error }, 'the job queue lost a connection'))
  let closed: Promise<void> | undefined
  const database: Required<Pick<BossDb, 'executeSql' | 'listen'>> = {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onMessage, onConnect) {
      return listen({ url, channels: [channel], application_name }, { onMessage, onConnect }, log)
    },
  }
  return { ...database, close: () => (closed ??= pool.end()) }
}

export async function createQueueTables(client: Client): Promise<void> {
  const { getConstructionPlans } = await import('pg-boss')
  await client.query(getConstructionPlans())
}

/** A pg-boss of an older schema than that of its tables starts, and need not work. */
export async function readQueueSchema(client: Client): Promise<number> {
  const row = z.object({ version: z.number() })
  return (await queryRow(client, row, 'select version from pgboss.version')).version
}

const queueFigures = z.object({
  queue: z.string(),
  waiting: z.number(),
  later: z.number(),
  /** Pg-boss's statistics say so, at most about a minute old. */
  active: z.number(),
  failed: z.number(),
  oldest: z.number(),
  overdue: z.number(),
})

export async function readQueueFigures(db: Db) {
  return queryAll(
    db,
    queueFigures,
    sql`
      select q.name as queue, q.active_count as active, q.failed_count as failed,
        coalesce(w.waiting, 0) as waiting, coalesce(w.later, 0) as later,
        coalesce(w.oldest, 0)::float8 as oldest, coalesce(w.overdue, 0)::float8 as overdue
      from pgboss.queue q left join (
        select name, count(*) filter (where start_after <= now()) as waiting,
          count(*) filter (where start_after > now()) as later,
          extract(epoch from now() - min(created_on)) as oldest,
          extract(epoch from now() - min(start_after) filter (where start_after <= now())) as overdue
        from pgboss.job where state < 'active' and not blocked group by name) w on w.name = q.name
      where left(q.name, 2) <> '__'
      order by q.name`,
  )
}

export type Job<Payload = unknown, Dependencies = never> = {
  name: string
  payload: z.ZodType<Payload>
  maxPauseSeconds?: number
  retentionDays?: number
  /** One at a time in each process; else up to eight. */
  isSequential?: boolean
  /** May run more than once for one payload. A throw means: retry. */
  run(dependencies: Dependencies, payload: Payload, attempt: JobAttempt): Promise<void>
}

export type BoundJob = Pick<Job, 'name' | 'isSequential'> & {
  run(payload: unknown, attempt: JobAttempt): Promise<void>
}

export type JobAttempt = { id: string; number: number; isLast: boolean; wasPostponed?: boolean }

export class PermanentFailure extends Error {}

/** The job runs so many seconds later, or when `Queue.runSoon` says so. */
export class Postponed extends Error {
  readonly seconds: number

  constructor(message: string, seconds = hourSeconds) {
    super(message)
    this.seconds = seconds
  }
}

export function defineJob<Payload, Dependencies>(
  job: Job<Payload, Dependencies>,
): Job<Payload, Dependencies> {
  return job
}

export function bindJob<Payload, Dependencies>(
  job: Job<Payload, Dependencies>,
  dependencies: Dependencies,
): BoundJob {
  const { name, payload, isSequential = false } = job
  return {
    name,
    isSequential,
    run: (stored, attempt) => job.run(dependencies, payload.parse(stored), attempt),
  }
}
