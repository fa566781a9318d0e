// Jobs in PostgreSQL through pg-boss: they join the transaction that enqueues them and outlive any process.
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { Db, Transaction } from '../db/client.ts'
import type { Job, JobAttempt } from '../job.ts'
import type { Log } from '../log.ts'

export type Queue = {
  /** Becomes visible to workers when `db`'s transaction commits, and vanishes with its rollback. */
  enqueue<Payload extends object>(db: Db | Transaction, job: Job<Payload>, payload: Payload): Promise<void>
  /** Makes the tables and the queues; call before the first `enqueue`. */
  start(jobs: readonly Job<never>[]): Promise<void>
  work(run: (job: Job<never>, payload: never, attempt: JobAttempt) => Promise<void>): Promise<void>
  /** Lets running jobs finish for at most `timeout` milliseconds. */
  stop(timeout?: number): Promise<void>
}

const dayInSeconds = 86_400

/** 25 tries over about three days: 5 s, 10 s, 20 s … at most 6 h apart. */
const patience = {
  retryLimit: 24,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 6 * 3600,
  expireInSeconds: 120,
  retentionSeconds: 30 * dayInSeconds,
  deleteAfterSeconds: 30 * dayInSeconds,
  notify: true,
}

export function openQueue(url: string, log: Log): Queue {
  const boss = new PgBoss({
    connectionString: url,
    max: 3,
    useListenNotify: true,
    application_name: 'lectern jobs',
    reindex: false,
  })
  boss.on('error', (error) => log.warn({ reason: error.message }, 'the job queue had trouble and goes on'))
  let known: readonly Job<never>[] = []

  return {
    async enqueue(db, job, payload) {
      await boss.send(job.name, job.payload.parse(payload) as object, { db: fromDrizzle(db, sql) })
    },
    async start(jobs) {
      known = jobs
      await boss.start()
      for (const job of jobs) await boss.createQueue(job.name, patience)
    },
    async work(run) {
      for (const job of known) {
        await boss.work(
          job.name,
          { includeMetadata: true, pollingIntervalSeconds: 2, batchSize: 1, localConcurrency: 2 },
          async ([taken]) => {
            if (!taken) return
            const { id, retryCount, retryLimit } = taken
            const attempt = { id, number: retryCount + 1, isLast: retryCount >= retryLimit }
            await run(job, job.payload.parse(taken.data), attempt)
          },
        )
      }
    },
    async stop(timeout = 5_000) {
      await boss.stop({ graceful: true, timeout })
    },
  }
}
