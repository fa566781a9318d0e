// Sends requests over open connections for some seconds. Sockets are written directly: the client of node:http takes
// longer for a response than the servers that are measured.
import { randomUUID } from 'node:crypto'
import { createConnection } from 'node:net'
import { percentile } from './figure.ts'

type Load = {
  connections: number
  seconds: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** A fresh Idempotency-Key with each request. */
  hasKeys?: boolean
  /** Before each request of a connection but the first. */
  pauseMs?: number
}

/** Throws when a response has no length or another status than 2xx. */
export async function load(to: string, wanted: Load): Promise<{ perSecond: number; p99: number }> {
  const { connections, seconds, method = 'GET', headers = {}, body = '', hasKeys, pauseMs } = wanted
  const { hostname, port, host, pathname, search } = new URL(to)
  const lines = Object.entries({ host, 'content-length': Buffer.byteLength(body), ...headers })
  const start = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}`
  const request = Buffer.from(`${start}\r\n${body}`)
  const since = performance.now()
  const times: number[] = []

  /** Resolves when the time is over and the last response is there. */
  function connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port), noDelay: true })
      let sentAt = 0
      let missing = 0
      function send(): void {
        sentAt = performance.now()
        if (sentAt > since + seconds * 1000) socket.destroy()
        else socket.write(hasKeys ? `${start}idempotency-key: ${randomUUID()}\r\n\r\n${body}` : request)
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', resolve)
      socket.on('data', (chunk) => {
        missing ||= lengthOf(chunk)
        missing -= chunk.byteLength
        if (missing > 0) return
        times.push(performance.now() - sentAt)
        if (pauseMs) setTimeout(send, pauseMs)
        else send()
      })
    })
  }

  await Promise.all(Array.from({ length: connections }, connect))
  return { perSecond: times.length / ((performance.now() - since) / 1000), p99: percentile(times, 99) }
}

/** Bytes of the response that begins with `chunk`, head and body. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n') + 4
  const head = chunk.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (!length || !head.startsWith('HTTP/1.1 2'))
    throw new Error(`an unexpected response: ${chunk.toString()}`)
  return end + Number(length)
}
