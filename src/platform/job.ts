import type { z } from 'zod'

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

/** The job runs an hour later, or when `Queue.runSoon` says so. */
export class Postponed extends Error {}

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
