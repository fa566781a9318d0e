// Never logs an address, a query or a body.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Log } from '../log.ts'

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
