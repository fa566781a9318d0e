// The HTTP server: how it listens, and how it stops behind a load balancer.
import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endSlowBodies } from './bodies.ts'

/** Requests in flight get this long to finish once no connection is accepted any more. */
const finishMs = 5_000

/** In milliseconds. What comes after the headers has a deadline of its own, which depends on the caller. */
const headersTimeout = 60_000
/** In bytes: so much of a body is read before somebody asks for it. */
const highWaterMark = 16 * 1024

export type HttpServer = {
  server: Server
  listen(at: { port: number; host: string | undefined }, listener: RequestListener): Promise<void>
  /** The port it listens on; not the one asked for where that is 0. */
  port(): number
  /** From the call of `drain` on. */
  isStopping(): boolean
  /** Goes on serving for so long, and ends each connection with its next response. */
  drain(seconds: number): Promise<void>
  close(): Promise<void>
}

export function createHttpServer(): HttpServer {
  const server = createServer({ headersTimeout, requestTimeout: 0, highWaterMark })
  let isStopping = false
  return {
    server,
    isStopping: () => isStopping,
    port: () => portOf(server),
    listen({ port, host }, listener) {
      const limited = endSlowBodies(listener)
      server.on('request', (request, response) => {
        if (isStopping) response.setHeader('connection', 'close')
        limited(request, response)
      })
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
    },
    async drain(seconds) {
      isStopping = true
      await sleep(seconds * 1000)
    },
    close: () => close(server),
  }
}

/** Refuses new connections, closes each open one when it is idle, and those still busy after `finishMs`. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const release = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), finishMs)
    server.close(() => {
      clearInterval(release)
      clearTimeout(cut)
      resolve()
    })
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server does not listen on a port.')
  return address.port
}
