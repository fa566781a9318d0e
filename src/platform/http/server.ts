import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endSlowBodies } from './bodies.ts'

/** For requests in flight once no connection is accepted. */
const finishMs = 5_000

/** In milliseconds. The body's timeout depends on the caller. */
const headersTimeout = 60_000
/** In bytes, of a body that nothing reads yet. */
const highWaterMark = 16 * 1024

export type HttpServer = ReturnType<typeof createHttpServer>

export function createHttpServer() {
  const server = createServer({ headersTimeout, requestTimeout: 0, highWaterMark })
  let isStopping = false
  return {
    server,
    isStopping: () => isStopping,
    /** Differs from the port asked for where that is 0. */
    port: () => portOf(server),
    listen({ port, host }: { port: number; host: string | undefined }, listener: RequestListener) {
      const limited = endSlowBodies(listener)
      server.on('request', (request, response) => {
        if (isStopping) response.setHeader('connection', 'close')
        limited(request, response)
      })
      return new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
    },
    /** Ends each connection with its next response. */
    async drain(seconds: number): Promise<void> {
      isStopping = true
      await sleep(seconds * 1000)
    },
    close: () => close(server),
  }
}

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
