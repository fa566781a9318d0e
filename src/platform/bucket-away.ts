// How to tell that a bucket cannot be asked now, and may be in a moment.
import { z } from 'zod'
import { isNetworkError } from './network-error.ts'

/** What the client of S3 adds to most errors; without a status there was no response. */
const clientError = z.object({ $metadata: z.object({ httpStatusCode: z.number().optional() }) })

/** Whether `error` is of a bucket that did not respond, failed, broke off, or asked for fewer requests. */
export function isBucketAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isNetworkError(error) || error.name === 'TimeoutError') return true
  const { success, data } = clientError.safeParse(error)
  if (!success) return isBucketAway(error.cause)
  const { httpStatusCode: status = 503 } = data.$metadata
  return status >= 500 || status === 429
}
