// What the log says of a database that is away: one line a minute with a count, instead of one for each failure.
import { isOutage } from './db/client.ts'
import { failureReason } from './failure-reason.ts'

const lineMs = 60_000

type Write = (fields: { count: number; reason: string }, message: string) => void

/** Returns whether the failure was counted, so that it needs no line of its own. */
export function countOutages(): (fields: unknown, write: Write) => boolean {
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
