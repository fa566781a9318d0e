// How to tell that another machine could not be reached, or that the connection to it broke.
import { errorCode } from './error-code.ts'

const codes = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)

/** Of this error itself; what it wraps is not looked at. */
export function isNetworkError(error: Error): boolean {
  return codes.has(errorCode(error) ?? '')
}
