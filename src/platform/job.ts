// A job: a name, the shape of its payload, and what to do. Enqueued inside the transaction it belongs to.
import type { z } from 'zod'

/** `Needs`: the services it is run with. */
export type Job<Payload = unknown, Needs = never> = {
  name: string
  payload: z.ZodType<Payload>
  /** Between two tries; some hours unless said otherwise. */
  maxPauseSeconds?: number
  /** So long it can be run again after it has ended; a month unless said otherwise. */
  retentionDays?: number
  /** May run more than once for one payload, so it must be safe to repeat. A throw means: try again later. */
  run(needs: Needs, payload: Payload, attempt: JobAttempt): Promise<void>
}

/** A job together with its services, for a payload as the queue has stored it. */
export type BoundJob = { name: string; run(payload: unknown, attempt: JobAttempt): Promise<void> }

/** `id` is the same at every attempt; `isLast` when no further one follows by itself. */
export type JobAttempt = { id: string; number: number; isLast: boolean }

/** Thrown by a job when trying again would change nothing. */
export class PermanentFailure extends Error {}

export function defineJob<Payload, Needs>(job: Job<Payload, Needs>): Job<Payload, Needs> {
  return job
}

export function bindJob<Payload, Needs>(job: Job<Payload, Needs>, needs: Needs): BoundJob {
  const { name, payload } = job
  return { name, run: (stored, attempt) => job.run(needs, payload.parse(stored), attempt) }
}
