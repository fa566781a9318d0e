// How to tell that there is no room left.
import { errorCode } from './error-code.ts'

/** Whether `error` says that a disk, the database's or the shop's own, takes nothing any more. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT' || isDiskFull(error.cause)
}
