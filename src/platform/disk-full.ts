// How to tell that there is no room left.
import { errorCode } from './error-code.ts'

const fullCodes = new Set<string | undefined>(['53100', 'ENOSPC', 'EDQUOT'])
const SQLITE_FULL = 13

/** Of the lock of the embedded PostgreSQL's folder. */
const isFullForSqlite = (error: Error) => 'errcode' in error && error.errcode === SQLITE_FULL

/** Whether `error` says that a disk, the database's or the shop's own, takes nothing any more. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof SuppressedError) return isDiskFull(error.suppressed)
  return fullCodes.has(errorCode(error)) || isFullForSqlite(error) || isDiskFull(error.cause)
}
