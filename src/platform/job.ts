// A job: a name, the shape of its payload, and what to do. Enqueued inside the transaction it belongs to.
import type { z } from 'zod'
import type { Services } from '../services.ts'

export type Job<Payload = unknown> = {
  name: string
  payload: z.ZodType<Payload>
  /** Between two tries; some hours unless said otherwise. */
  longestPauseSeconds?: number
  /** May run more than once for one payload, so it must be safe to repeat. A throw means: try again later. */
  run(services: Services, payload: Payload, attempt: JobAttempt): Promise<void>
}

/** `id` is the same at every attempt; `isLast` when no further one follows by itself. */
export type JobAttempt = { id: string; number: number; isLast: boolean }

/** Thrown by a job when trying again would change nothing. */
export class PermanentFailure extends Error {}

export function defineJob<Payload>(job: Job<Payload>): Job<Payload> {
  return job
}
