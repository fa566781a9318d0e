// Secrets and personal data are not written, at any level.
import { errorCode, failureReason } from './errors.ts'
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { isOutage } from './db/client.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child' | 'level' | 'isLevelEnabled'>

type LogHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

const maxUnwritten = 1_000_000

/** Has a listener: without one, a full disk would end or block the process. */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: maxUnwritten })
  output.on('error', () => {})
  return output
}

const hidden = [
  'email',
  'recipient',
  'ip',
  'user_agent',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'secret',
  'token_hash',
]

export function createLog(level: string, destination?: DestinationStream): Logger {
  const isCounted = countOutages()
  const logMethod: LogHook = function (args, method, levelNumber) {
    const [fields] = args
    const write = (...line: [object, string]) => method.apply(this, line)
    if (levelNumber === pino.levels.values['warn'] && isCounted(fields, write)) return
    method.apply(this, args)
  }
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describe },
    redact: { paths: hidden.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
    hooks: { streamWrite: hideInWords, logMethod },
  }
  return pino(options, destination ?? openStandardOutput())
}

/** Mail servers and Stripe repeat addresses. RFC 5321: at most 64 characters before the @. */
const emailAddress =
  /[^\s"'`<>()[\]{}:;,\\/@=]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?:xn--[a-z\d-]+|\p{L}{2,})/giu

/** Hides the id of a Checkout Session, which opens an order for a day. Stripe's errors name it. */
const checkoutId = /\bcs_(?:test|live)_\w+/g

function hideInWords(line: string): string {
  const shown = line.includes('@') ? line.replace(emailAddress, '[email]') : line
  return shown.includes('cs_') ? shown.replace(checkoutId, '[checkout]') : shown
}

/** A database error carries its connection, with the password, and the values. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = errorCode(error)
  return {
    name,
    message: withoutValues(message, code),
    ...(code && { code }),
    stack: stack && withoutValues(stack, code),
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}

/** PostgreSQL's errors about a value, which their messages quote. */
const dataException = /^22[0-9A-Z]{3}$/

/** Drizzle repeats all values of a failed query. */
function withoutValues(words: string, code = ''): string {
  const unquoted = dataException.test(code) ? words.replace(/"[^"]*"/g, '"…"') : words
  return unquoted.replace(/\nparams: [^]*?(?=\n {4}at |$)/, '')
}

const lineMs = 60_000

type Write = (fields: { count: number; reason: string }, message: string) => void

function countOutages(): (fields: unknown, write: Write) => boolean {
  let timer: NodeJS.Timeout | undefined
  let count = 0
  let reason = ''

  function say(write: Write): void {
    timer = undefined
    if (count === 0) return
    write({ count, reason }, 'the database is away: so often was it asked in vain since the last such line')
    count = 0
    timer = setTimeout(say, lineMs, write).unref()
  }

  return (fields, write) => {
    const error = typeof fields === 'object' && fields && 'err' in fields ? fields.err : undefined
    if (!isOutage(error)) return false
    count += 1
    reason = failureReason(rootOf(error))
    if (!timer) say(write)
    return true
  }
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}
