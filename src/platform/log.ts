// One structured line per event. Values under names that hold secrets are never written.
import { errorCode } from './error-code.ts'
import { pino, type DestinationStream, type Logger } from 'pino'

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

/** To the standard output, or wherever `destination` leads. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describe },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  }
  return pino(options, destination)
}

/** Only what helps: a database error carries its whole connection, password and all, and what was to be written. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = errorCode(error)
  return {
    name,
    message: withoutValues(message),
    ...(code && { code }),
    stack: stack && withoutValues(stack),
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}

/** Drizzle repeats in its messages every value of a query that failed. */
function withoutValues(words: string): string {
  return words.replace(/\nparams: [^]*?(?=\n {4}at |$)/, '')
}
