// The HTTP server, and what is measured of each request. Never logs an address, a query or a body.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as untilRead, setTimeout as sleep } from 'node:timers/promises'
import { endSlowBodies, lingerMs } from './bodies.ts'
import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import { highWaterMark, type ListeningSocket } from './listening-socket.ts'

/** Requests in flight have so long once no connection is accepted. */
const finishMs = 5_000
const closeIdleMs = 50

/** Milliseconds from a request's first byte or a connection's begin. The body's timeout depends on the caller. */
const headersTimeout = 60_000
/**
 * Milliseconds between two requests of a connection, which `headersTimeout` does not count. A proxy has to be the one that
 * closes it: a POST that it sends meanwhile is lost. Caddy closes after two minutes, nginx after one.
 */
const keepAliveTimeout = 150_000
/** Bytes. A browser also sends the cookies of what else runs under the name, or as localhost. */
const maxHeaderSize = 64 * 1024

export type HttpServer = ReturnType<typeof createHttpServer>

export function createHttpServer() {
  const server = createServer({
    headersTimeout,
    keepAliveTimeout,
    maxHeaderSize,
    requestTimeout: 0,
    highWaterMark,
  })
  const connections = new Set<Socket>()
  let isStarting = true
  let isStopping = false
  let holdConnections = () => {}
  return {
    server,
    isStarting: () => isStarting,
    isStopping: () => isStopping,
    endStart: () => void (isStarting = false),
    async listen(
      socket: Pick<ListeningSocket, 'giveTo' | 'hold'>,
      listener: RequestListener,
      makePages: RefusalPages = {},
    ): Promise<void> {
      const limited = endSlowBodies(requireHost(listener))
      const responses = new WeakMap<Duplex, ServerResponse>()
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        void refuseUnread(error, socket, responses.get(socket), makePages)
      })
      server.on('connection', (connection) => {
        connections.add(connection)
        connection.once('close', () => connections.delete(connection))
      })
      server.on('request', (request, response) => {
        responses.set(request.socket, response)
        if (isStopping) response.setHeader('connection', 'close')
        limited(request, response)
      })
      // Node begins with its timeouts of connections at this event, which the server's own `listen` would emit.
      server.emit('listening')
      holdConnections = () => socket.hold()
      await socket.giveTo(server)
    },
    /** Ends each connection with its next response. */
    async drain(seconds: number): Promise<void> {
      isStopping = true
      await sleep(seconds * 1000)
    },
    async close(): Promise<void> {
      holdConnections()
      await close(server, connections)
    },
  }
}

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

/** One that was accepted last, and has sent nothing yet, is not idle: a POST on its way is not lost. */
async function close(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const end = performance.now() + finishMs
  while (connections.size > 0 && performance.now() < end) {
    await sleep(closeIdleMs)
    // Data that has arrived meanwhile is read first.
    await untilRead()
    server.closeIdleConnections()
  }
  for (const connection of connections) connection.destroy()
  server.close()
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
