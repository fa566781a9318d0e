// The HTTP server, and what is measured of each request. Never logs an address, a query or a body.
import { createServer, type RequestListener, type Server, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endSlowBodies } from './bodies.ts'
import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'

/** For requests in flight once no connection is accepted. */
const finishMs = 5_000

/** In milliseconds. The body's timeout depends on the caller. */
const headersTimeout = 60_000
/** In bytes, of a body that nothing reads yet. */
const highWaterMark = 16 * 1024

export type HttpServer = ReturnType<typeof createHttpServer>

export function createHttpServer() {
  const server = createServer({ headersTimeout, requestTimeout: 0, highWaterMark })
  let isStarting = true
  let isStopping = false
  return {
    server,
    isStarting: () => isStarting,
    isStopping: () => isStopping,
    endStart: () => void (isStarting = false),
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

export type EndedRequest = {
  method: string
  route: string
  status: number
  seconds: number
}

type Options = {
  log: Log
  routeOf: (method: string, path: string) => string
  observe: ((request: EndedRequest) => void) | undefined
}

const clientGone = 499

const ids = new WeakMap<IncomingMessage, string>()

export function requestId(request: IncomingMessage | undefined): string {
  const id = (request && ids.get(request)) ?? randomUUID()
  if (request) ids.set(request, id)
  return id
}

export function observeRequests(listener: RequestListener, options: Options): RequestListener {
  const { log, routeOf, observe } = options
  const isLogged = log.isLevelEnabled('info')
  if (!isLogged && !observe) return listener
  // Redaction takes three times as long as the line, which holds nothing to redact.
  const requestLog = log.child({}, { redact: [] })
  return (request, response) => {
    const { socket } = request
    const since = performance.now()
    const writtenBefore = socket.bytesWritten
    response.once('close', () => {
      const { method = '' } = request
      const route = routeOf(method, pathOf(request.url ?? ''))
      const status = response.headersSent ? response.statusCode : clientGone
      const ms = performance.now() - since
      observe?.({ method, route, status, seconds: ms / 1000 })
      if (!isLogged) return
      const request_id = ids.get(request) ?? randomUUID()
      const bytes = socket.bytesWritten - writtenBefore
      requestLog.info({ request_id, method, route, status, ms: Math.round(ms * 10) / 10, bytes }, 'request')
    })
    listener(request, response)
  }
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}
