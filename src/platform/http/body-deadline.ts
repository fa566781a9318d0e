// How long a body may take to arrive, and what becomes of one that nobody reads. Admins may send for as long as they
// like: an ebook over a slow line takes hours.
import type { IncomingMessage, RequestListener } from 'node:http'

const strangerMs = 30_000
/** In bytes. A client may send so much before it looks for the response; of more, nothing is read. */
const maxDropped = 64 * 1024
/** The client has this long to read the response before the connection ends. */
const lingerMs = 500

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** The connection ends when its body is not complete in time. */
export function endSlowBodies(listener: RequestListener, timeoutMs = strangerMs): RequestListener {
  return (request, response) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (Number(length ?? 0) > 0 || encoding !== undefined) {
      const timer = setTimeout(() => {
        if (!request.complete) request.destroy()
      }, timeoutMs)
      deadlines.set(request, timer)
      request.once('close', () => clearTimeout(timer))
      // Node drops what nobody has begun to read as fast as it comes, without a limit.
      request.read(0)
      response.once('finish', () => {
        if (!request.complete) endUnread(request)
      })
    }
    listener(request, response)
  }
}

/** For a caller who is known to be an admin. */
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
