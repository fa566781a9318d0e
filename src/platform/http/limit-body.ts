// How large a body may be. Nothing is read here: the limit counts what the route reads, behind its guards.
import type { MiddlewareHandler } from 'hono'
import { PlatformRefusal } from '../refusal.ts'

type Options = {
  /**
   * In bytes, of all bodies that are read at the same moment; without it, each counts by itself. Small bodies do not count,
   * so that strangers who send large ones do not keep them out.
   */
  maxTogether?: number
}

/** In bytes. */
const smallBody = 32 * 1024

/** `maxSize` in bytes. A body that is too large is refused when it is read, so that a guard's refusal comes first. */
export function limitBody(maxSize: number, { maxTogether }: Options = {}): MiddlewareHandler {
  const together = { left: maxTogether ?? Infinity }
  return async (c, next) => {
    const { method } = c.req
    const isChunked = c.req.header('transfer-encoding') !== undefined
    const length = Number(c.req.header('content-length') ?? 0)
    const fits = !isChunked && length <= maxSize && maxTogether === undefined
    if (fits || (length === 0 && !isChunked) || method === 'GET' || method === 'HEAD') return next()
    const limit: Limit = {
      own: length > maxSize ? -1 : maxSize,
      together,
      read: 0,
      taken: 0,
      refusal: undefined,
    }
    const body = limited(c.req.raw, limit)
    c.req.raw = new Request(c.req.raw, { method, body })
    try {
      await next()
    } finally {
      together.left += limit.taken
    }
    // A reader of JSON says only that it could not be read.
    if (limit.refusal) throw limit.refusal
  }
}

type Limit = {
  /** What is left, in bytes. */
  own: number
  together: { left: number }
  read: number
  /** Of what is left together. */
  taken: number
  refusal: PlatformRefusal | undefined
}

function take(limit: Limit, bytes: number): PlatformRefusal | undefined {
  limit.own -= bytes
  limit.read += bytes
  const taken = Math.max(0, limit.read - smallBody)
  limit.together.left -= taken - limit.taken
  limit.taken = taken
  if (limit.own < 0) return new PlatformRefusal('request.too_large')
  return limit.together.left < 0 ? new PlatformRefusal('server.unavailable', { retryAfter: 2 }) : undefined
}

/** Takes from the body only what is asked of it: what a stream reads ahead would be kept for every connection. */
function limited(request: Request, limit: Limit): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const isTooLong = limit.own < 0
        if (!isTooLong) reader ??= request.body?.getReader()
        const read = await reader?.read()
        if (!isTooLong && (!read || read.done)) return controller.close()
        limit.refusal = take(limit, read?.value?.length ?? 0)
        if (limit.refusal) controller.error(limit.refusal)
        else if (read?.value) controller.enqueue(read.value)
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
