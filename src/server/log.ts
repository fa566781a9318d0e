// One structured line per event. Values under names that hold secrets are never written.
import { pino, type Logger } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child' | 'level'>

const secrets = [
  'password',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'secret',
  'token_hash',
]

export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describe },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  })
}

/** Only what helps: a database error carries its whole connection, password and all. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    name,
    message,
    ...(code && { code }),
    stack,
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}
