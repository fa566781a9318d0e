// A TCP proxy whose connections can be cut, slowed down, or lose everything without an end.
import { createServer, connect, type NetConnectOpts, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './find-free-port.ts'

/** How bytes pass, on open and on new connections; may be changed at any time. */
type Link = {
  /** Each chunk waits so long, in each direction. */
  latencyMs: number
  /** Of each connection, in each direction. */
  bytesPerSecond: number
  /**
   * Connections are accepted, and no byte passes, nor the end of a connection. What was sent arrives when this is false
   * again, as with packets that are sent anew. Probes (TCP keepalive) are acknowledged by the kernel all the same.
   */
  isBlackHole: boolean
}

export type TcpProxy = AsyncDisposable & {
  port: number
  link: Link
  /** Resets all open connections. */
  cut(): void
  /** Resets all open connections and refuses new ones, until the returned function is called. */
  refuse(): Promise<() => Promise<void>>
  /** How many connections are open. */
  count(): number
}

const chunkBytes = 16 * 1024

/** `target` is where connections lead: a port, or the path of a unix socket. */
export async function openTcpProxy(target: NetConnectOpts): Promise<TcpProxy> {
  const port = await findFreePort()
  const sockets = new Set<Socket>()
  const link: Link = { latencyMs: 0, bytesPerSecond: Infinity, isBlackHole: false }
  const closing = new AbortController()
  let server = await listen()

  async function listen() {
    const listening = createServer({ allowHalfOpen: true }, (socket) => void forward(socket))
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    return listening
  }

  async function forward(incoming: Socket): Promise<void> {
    const outgoing = connect({ ...target, allowHalfOpen: true })
    const pair = [incoming, outgoing]
    for (const socket of pair) {
      sockets.add(socket)
      // Errors end the pipelines as well.
      socket.on('error', () => undefined)
    }
    await Promise.allSettled([
      pipeline(incoming, pass, outgoing, { signal: closing.signal }),
      pipeline(outgoing, pass, incoming, { signal: closing.signal }),
    ])
    for (const socket of pair) {
      socket.destroy()
      sockets.delete(socket)
    }
  }

  async function* pass(source: AsyncIterable<Buffer>) {
    for await (const bytes of source) {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        const chunk = bytes.subarray(at, at + chunkBytes)
        const ms = link.latencyMs + (chunk.length / link.bytesPerSecond) * 1_000
        if (ms > 0) await sleep(ms)
        await untilPassable()
        yield chunk
      }
    }
    await untilPassable()
  }

  async function untilPassable(): Promise<void> {
    while (link.isBlackHole && !closing.signal.aborted) await sleep(5)
  }

  function cut(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    cut()
    await closed
  }

  return {
    port,
    link,
    cut,
    async refuse() {
      await close()
      return async () => {
        server = await listen()
      }
    },
    count: () => sockets.size / 2,
    async [Symbol.asyncDispose]() {
      closing.abort()
      await close()
    },
  }
}
