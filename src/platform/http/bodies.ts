// Limits of request bodies. The limit counts what the route reads, behind its guards.
import type { MiddlewareHandler } from 'hono'
import { platformProblem, type Problem } from '../problem.ts'
import type { IncomingMessage, RequestListener } from 'node:http'

type Options = {
  /** Bytes of all bodies read at once. Small ones do not count, so that large ones of strangers do not keep them out. */
  maxTogether?: number
}

const smallBody = 32 * 1024

/** Takes bytes. A guard's refusal comes first: a large body is refused when it is read. */
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
    // A JSON reader's error does not say why.
    if (limit.refusal) throw limit.refusal
  }
}

type Limit = {
  own: number
  together: { left: number }
  read: number
  taken: number
  refusal: Problem | undefined
}

function take(limit: Limit, bytes: number): Problem | undefined {
  limit.own -= bytes
  limit.read += bytes
  const taken = Math.max(0, limit.read - smallBody)
  limit.together.left -= taken - limit.taken
  limit.taken = taken
  if (limit.own < 0) return platformProblem('request.too_large')
  return limit.together.left < 0 ? platformProblem('server.unavailable', { retryAfter: 2 }) : undefined
}

/** Reads nothing ahead, which would be stored for every connection. */
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

const strangerMs = 30_000
/** Bytes that clients may send before they look for the response. */
const maxDropped = 64 * 1024
/** Milliseconds for a client to read the response that ends its connection. */
export const lingerMs = 500

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>()

export function endSlowBodies(listener: RequestListener, timeoutMs = strangerMs): RequestListener {
  return (request, response) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (Number(length ?? 0) > 0 || encoding !== undefined) {
      const timer = setTimeout(() => {
        if (!request.complete) request.destroy()
      }, timeoutMs)
      deadlines.set(request, timer)
      request.once('close', () => clearTimeout(timer))
      // Node drops an unread body as fast as it comes, without a limit.
      request.read(0)
      response.once('finish', () => {
        if (!request.complete) endUnread(request)
      })
    }
    listener(request, response)
  }
}

/** Admins send ebooks over slow lines for hours. */
export function allowSlowBody(request: IncomingMessage | undefined): void {
  if (request) clearTimeout(deadlines.get(request))
}

function endUnread(request: IncomingMessage): void {
  let left = maxDropped
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) request.pause()
  })
  request.resume()
  setTimeout(() => {
    if (!request.complete) request.socket.destroySoon()
  }, lingerMs)
}
