// The HTTP server of the process, and what is measured of each request. Never logs an address, a query or a body.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as untilRead, setTimeout as sleep } from 'node:timers/promises'
import { endSlowBodies, lingerMs } from './bodies.ts'
import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'

/** Requests under way have so long once the shop closes. */
const finishMs = 5_000
const pauseMs = 50

/** Milliseconds from a request's first byte or a connection's begin. The body's timeout depends on the caller. */
const headersTimeout = 60_000
/**
 * Milliseconds between two requests of a connection, which `headersTimeout` does not count. A proxy has to be the one that
 * closes it: a POST that it sends meanwhile is lost. Caddy closes after two minutes, nginx after one.
 */
const keepAliveTimeout = 150_000
/** Bytes. A browser also sends the cookies of what else runs under the name, or as localhost. */
const maxHeaderSize = 64 * 1024
/** Bytes of a body that nothing reads yet. */
const highWaterMark = 16 * 1024
/**
 * The kernel holds so many connections until they are accepted. Node's own number is 511, to which it would set a socket of
 * systemd back. Linux holds no more than net.core.somaxconn, which is 4096 since 5.4.
 */
const backlog = 4096
/** Further ones are refused: each may hold 64 KiB of its body. */
const maxWaiting = 1_000

/** `socketFd` takes the place of the others. */
type Address = { port: number; host: string | undefined; socketFd: number | undefined }

export type HttpServer = ReturnType<typeof createHttpServer>

/** It outlives the shops of a process, one of which responds. Between two of them requests wait, their bodies unread. */
export function createHttpServer({ port, host, socketFd }: Address) {
  const server = createServer({
    headersTimeout,
    keepAliveTimeout,
    maxHeaderSize,
    requestTimeout: 0,
    highWaterMark,
  })
  /** The last response on each open connection. */
  const responses = new Map<Duplex, ServerResponse>()
  const underWay = new Set<ServerResponse>()
  const waiting = new Map<ServerResponse, IncomingMessage>()
  let shop: OpenShop | undefined
  let listening: Promise<void> | undefined
  let isStopping = false

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    void refuseUnread(error, socket, responses.get(socket), shop?.makePages ?? {})
  })
  server.on('connection', (socket) => socket.once('close', () => responses.delete(socket)))
  server.on('request', (request, response) => {
    const before = responses.get(request.socket)
    responses.set(request.socket, response)
    response.on('close', forget)
    if (shop) return respond(shop, request, response)
    // No browser and no proxy sends the next request before its response, and one connection could send very many.
    if (before && waiting.has(before)) return void request.socket.destroy()
    if (waiting.size < maxWaiting) return void waiting.set(response, request)
    response.writeHead(503, { connection: 'close', 'retry-after': '5' }).end()
  })

  /** One function for all responses: `once`, with one for each, took a twentieth of what a call of the API costs. */
  function forget(this: ServerResponse): void {
    underWay.delete(this)
    waiting.delete(this)
  }

  const closeIdle = server.closeIdleConnections.bind(server)
  // Node's own, which its `close` calls, too, cuts off a response that has ended and is still being sent.
  server.closeIdleConnections = () => {
    if (![...underWay].some((response) => response.writableEnded)) closeIdle()
  }

  function respond({ listener }: OpenShop, request: IncomingMessage, response: ServerResponse): void {
    underWay.add(response)
    if (isStopping) response.setHeader('connection', 'close')
    listener(request, response)
  }

  function listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.once('listening', () => {
        server.off('error', reject)
        resolve()
      })
      if (socketFd === undefined) server.listen({ port, host, backlog })
      // A second `listen` on a descriptor fails, since the first one's end closes it.
      else server.listen({ fd: socketFd }, backlog)
    })
  }

  return {
    server,
    isStopping: () => isStopping,
    /** The port differs from the one asked for where that is 0, and where systemd holds the socket. */
    port(): number {
      const address = server.address()
      if (typeof address !== 'object' || !address) throw new Error('The server does not listen on a port.')
      return address.port
    },
    /** The first call begins to listen. Requests that have waited get their responses first. */
    async open(listener: RequestListener, makePages: RefusalPages = {}): Promise<void> {
      await (listening ??= listen())
      shop = { listener: endSlowBodies(requireHost(listener)), makePages }
      for (const [response, request] of waiting) respond(shop, request, response)
      waiting.clear()
    },
    /** Requests wait from now on. Resolves once those under way have ended. */
    async hold(): Promise<void> {
      shop = undefined
      const end = performance.now() + finishMs
      while (underWay.size > 0 && performance.now() < end) await sleep(pauseMs)
      for (const response of underWay) response.destroy()
    },
    /** Ends each connection with its next response. */
    async drain(seconds: number): Promise<void> {
      isStopping = true
      await sleep(seconds * 1000)
    },
    /**
     * Accepts no connection any more; one that was not accepted waits for the next process where systemd holds the socket.
     * One that was accepted last, and has sent nothing yet, is not idle: a POST on its way is not lost.
     */
    async close(): Promise<void> {
      isStopping = true
      const end = performance.now() + finishMs
      // Data that has arrived meanwhile is read first, here and below.
      await untilRead()
      const closed = new Promise<boolean>((resolve) => server.close(() => resolve(true)))
      while (performance.now() < end && !(await Promise.race([closed, sleep(pauseMs, false)]))) {
        await untilRead()
        server.closeIdleConnections()
      }
      server.closeAllConnections()
    },
  }
}

type OpenShop = { listener: RequestListener; makePages: RefusalPages }

/** Its body is HTML. */
type Page = { body: string; headers: Record<string, string> }

/** They take the place of an empty response to what could not be read, so that no route could respond. */
type RefusalPages = { headersTooLarge?: () => Promise<Page> }

/** HTTP/1.0 has no `Host`, and health checks still use it. Node requires the header of HTTP/1.1, but takes an empty one. */
function requireHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.host || request.httpVersion === '1.0') return listener(request, response)
    response.writeHead(400, { connection: 'close' }).end()
  }
}

/** It lists what Node's parser refuses, whose own responses have no body. */
const unreadStatus: Readonly<Partial<Record<string, string>>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const emptyPage = { body: '', headers: {} }

/** `response` is the last one on this connection. */
async function refuseUnread(
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined,
  { headersTooLarge }: RefusalPages,
): Promise<void> {
  const isTooLarge = code === 'HPE_HEADER_OVERFLOW'
  const page = isTooLarge && headersTooLarge ? await headersTooLarge().catch(() => emptyPage) : emptyPage
  // The parser refuses each piece that still comes.
  if (socket.writableEnded) return
  const isUnderWay = response?.headersSent && !response.writableFinished
  if (!socket.writable || isUnderWay) return void socket.destroy()
  const headers = {
    ...page.headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(page.body)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const status = unreadStatus[code] ?? '400 Bad Request'
  socket.end([`HTTP/1.1 ${status}`, ...lines, '', page.body].join('\r\n'))
  // Closed at once, the connection would be reset by what the client still sends, and the response lost with it.
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
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
