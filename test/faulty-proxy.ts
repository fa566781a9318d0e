// An HTTP proxy before a server: hands everything on, but for the calls that are to fail.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export type Fault =
  /** The server does not get to know of the call. */
  | { status: number; code: string }
  /** No response, ever. */
  | 'silence'
  | { delayMs: number }
  /** After so many bytes of the body the transfer ends, stops for ever, or has a wrong byte. */
  | { of: 'request' | 'response'; after: number; what: 'end' | 'stop' | 'damage' }
  /** The server does what it is told, and its response is lost. */
  | 'lost response'

export type FaultyProxy = AsyncDisposable & {
  endpoint: string
  /** The next calls of `method` meet the fault. */
  fail(method: string, fault: Fault, times?: number): void
  /** Method and range of every call, in their order. */
  calls: string[]
  /** Connections to it that are open. */
  countConnections(): number
}

export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const faults: { method: string; fault: Fault; times: number }[] = []
  const calls: string[] = []

  function takeFault(method: string | undefined): Fault | undefined {
    const next = faults.find((each) => each.method === method && each.times > 0)
    if (next) next.times -= 1
    return next?.fault
  }

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    calls.push([incoming.method, incoming.headers.range].filter(Boolean).join(' '))
    const fault = takeFault(incoming.method)
    if (fault === 'silence') return
    if (fault && typeof fault === 'object' && 'status' in fault) {
      incoming.resume()
      const { status, code } = fault
      outgoing.writeHead(status, { 'content-type': 'application/xml' })
      return void outgoing.end(`<Error><Code>${code}</Code></Error>`)
    }
    if (fault && typeof fault === 'object' && 'delayMs' in fault) await sleep(fault.delayMs)
    const { method, url: path, headers } = incoming
    const onward = request({ hostname, port, method, path, headers, agent: false })
    // Swift sends a body after the headers of a HEAD for nothing: that comes when the response is whole.
    onward.on('error', () => void (outgoing.headersSent || outgoing.destroy()))
    incoming.on('error', () => onward.destroy())
    const cut = () => {
      incoming.socket.end()
      onward.destroy()
    }
    onward.on('response', (response) => {
      if (fault === 'lost response') return cut()
      outgoing.writeHead(response.statusCode!, response.headers)
      response.on('error', () => outgoing.destroy())
      outgoing.on('close', () => response.destroy())
      pass(response, fault, { of: 'response', cut }).pipe(outgoing)
    })
    pass(incoming, fault, { of: 'request', cut }).pipe(onward)
  }

  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.on('close', () => (connections -= 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    fail: (method, fault, times = 1) => void faults.push({ method, fault, times }),
    countConnections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function pass(
  body: Readable,
  fault: Fault | undefined,
  { of, cut }: { of: string; cut: () => void },
): Readable {
  if (typeof fault !== 'object' || !('of' in fault) || fault.of !== of) return body
  const { after, what } = fault
  let at = 0
  const change = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const place = after - at
      at += chunk.length
      if (place < 0 || place >= chunk.length) return done(null, chunk)
      if (what === 'damage') {
        const damaged = Buffer.from(chunk)
        damaged[place]! ^= 1
        return done(null, damaged)
      }
      // Nothing more is taken: the sender waits, or meets the end.
      this.push(chunk.subarray(0, place))
      if (what === 'end') setTimeout(cut, 20)
    },
  })
  return body.pipe(change)
}
