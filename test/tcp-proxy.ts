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
  /** On all open connections nothing passes any more, for ever; new ones work. */
  abandon(): void
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
  let epoch = 0
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
    // Errors end the pipelines as well.
    for (const socket of [incoming, outgoing]) socket.on('error', () => undefined)
    sockets.add(incoming)
    const ownEpoch = epoch
    const isSilent = () => (link.isBlackHole || ownEpoch !== epoch) && !incoming.destroyed
    const pass = (source: AsyncIterable<Buffer>) => slowDown(source, isSilent)
    await Promise.allSettled([
      pipeline(incoming, pass, outgoing, { signal: closing.signal }),
      pipeline(outgoing, pass, incoming, { signal: closing.signal }),
    ])
    incoming.destroy()
    outgoing.destroy()
    sockets.delete(incoming)
  }

  async function* slowDown(source: AsyncIterable<Buffer>, isSilent: () => boolean) {
    for await (const bytes of source) {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        const chunk = bytes.subarray(at, at + chunkBytes)
        const ms = link.latencyMs + (chunk.length / link.bytesPerSecond) * 1_000
        if (ms > 0) await sleep(ms)
        await untilHeard(isSilent)
        yield chunk
      }
    }
    await untilHeard(isSilent)
  }

  async function untilHeard(isSilent: () => boolean): Promise<void> {
    while (isSilent() && !closing.signal.aborted) await sleep(5)
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
    abandon: () => void (epoch += 1),
    count: () => sockets.size,
    async [Symbol.asyncDispose]() {
      closing.abort()
      await close()
    },
  }
}
