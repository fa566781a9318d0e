// How long a body may take to arrive, and what becomes of one that nobody reads. Admins may send for as long as they
// like: an ebook over a slow line takes hours.
import type { IncomingMessage, RequestListener } from 'node:http'

const strangerMs = 30_000
/** In bytes. A body up to this size is read to its end after the response, for clients that send all before they look for it. */
const maxDropped = 64 * 1024
/** The client has this long to read the response before the connection ends. */
const lingerMs = 500

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** The connection ends when its body is not complete in time. */
export function endSlowBodies(listener: RequestListener, timeoutMs = strangerMs): RequestListener {
  return (request, response) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    const isChunked = encoding !== undefined
    if (Number(length ?? 0) > 0 || isChunked) {
      const timer = setTimeout(() => {
        if (!request.complete) request.destroy()
      }, timeoutMs)
      deadlines.set(request, timer)
      request.once('close', () => clearTimeout(timer))
      response.once('finish', () => {
        // Browsers and Stripe say how long a body is; one without a length may have no end.
        if (!request.complete) drop(request, isChunked || Number(length) > maxDropped)
      })
    }
    listener(request, response)
  }
}

/** For a caller who is known to be an admin. */
export function allowSlowBody(request: IncomingMessage | undefined): void {
  if (request) clearTimeout(deadlines.get(request))
}

/** Node begins to read and drop the rest when the response is finished; of an endless body it reads no more. */
function drop(request: IncomingMessage, isEndless: boolean): void {
  if (isEndless) setImmediate(() => request.socket.pause())
  const end = setTimeout(() => request.socket.destroySoon(), lingerMs)
  request.once('end', () => clearTimeout(end))
}
