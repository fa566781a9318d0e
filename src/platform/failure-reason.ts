// Why something failed, for the owner of the shop.
import { isDiskFull } from './disk-full.ts'
import { errorCode } from './error-code.ts'

/** A full disk is named as such, wherever it was met: in the shop's folder, in a backup's or in the database. */
export function failureReason(error: unknown): string {
  if (isDiskFull(error)) return 'There is no room left on the disk.'
  // What failed first; closing what was open failed after it.
  if (error instanceof SuppressedError) return failureReason(error.suppressed)
  if (!(error instanceof Error)) return String(error)
  const closed = closedPath(error)
  if (closed !== undefined)
    return `The user who runs this may not open ${closed}. After a command that was run as root, give its folder back to the user of the shop with "chown -R".`
  // An AggregateError, as of a refused connection, has no message of its own.
  return error.message || errorCode(error) || error.name
}

/** What belongs to another user. EPERM also means other things: of chmod, only this. */
function closedPath(error: Error): string | undefined {
  if (!('path' in error) || !('syscall' in error)) return undefined
  const code = errorCode(error)
  return code === 'EACCES' || (code === 'EPERM' && error.syscall === 'chmod') ? String(error.path) : undefined
}
