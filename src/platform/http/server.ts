// The HTTP server: how it listens, and how it stops without losing a request that a proxy has begun to send.
import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Requests in flight get this long to finish once no connection is accepted any more. */
const finishMs = 5_000
/** Behind a proxy: how long open connections stay usable after new ones are refused. The proxy must not keep idle ones that long. */
const lastRequestsMs = 3_000

/** A turn of the event loop in which nothing but new connections was looked for. */
const shortTurnMs = 0.2
const longestWaitMs = 500

export type HttpServer = {
  server: Server
  listen(at: { port: number; host: string | undefined }, listener: RequestListener): Promise<void>
  /** The port it listens on; not the one asked for where that is 0. */
  port(): number
  /** From the call of `drain` on. */
  isStopping(): boolean
  /** Only `isStopping` changes, for as long as a load balancer needs to notice. */
  drain(seconds: number): Promise<void>
  close(): Promise<void>
}

export function createHttpServer(): HttpServer {
  const server = createServer()
  let isStopping = false
  let isBehindBalancer = false
  return {
    server,
    isStopping: () => isStopping,
    port: () => portOf(server),
    listen({ port, host }, listener) {
      server.on('request', (request, response) => {
        if (!server.listening) response.setHeader('connection', 'close')
        listener(request, response)
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
      isBehindBalancer = seconds > 0
      await sleep(seconds * 1000)
    },
    close: () => close(server, isBehindBalancer ? lastRequestsMs : 0),
  }
}

/**
 * Refuses new connections, then closes each open one when it is idle, and those still busy after `finishMs`. A request
 * that crosses the closing of its connection is lost, and a proxy does not repeat a POST: so open connections stay usable
 * for `usableMs`, until the proxy has used or closed them.
 */
async function close(server: Server, usableMs: number): Promise<void> {
  await untilNoneWaits()
  // Not http's own close, which ends idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  await Promise.race([closed, sleep(usableMs)])
  server.close()
  const release = setInterval(() => server.closeIdleConnections(), 50)
  const cut = setTimeout(() => server.closeAllConnections(), finishMs)
  await closed
  clearInterval(release)
  clearTimeout(cut)
}

/** A turn of the event loop accepts all waiting connections. Those that come later in the turn would be reset. */
async function untilNoneWaits(): Promise<void> {
  const end = performance.now() + longestWaitMs
  for (let began = performance.now(); began < end;) {
    await setImmediate()
    const now = performance.now()
    if (now - began < shortTurnMs) return
    began = now
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server does not listen on a port.')
  return address.port
}
