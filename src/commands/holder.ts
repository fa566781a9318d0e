// A port whose connections wait, unread, until the shop that is to get them is ready. It is there for `lectern upgrade`
// only: a connection that Caddy may open is never refused, so that no body of a request is lost.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection that has waited so long is closed. */
const holdMs = 30_000
/** As for a large download that somebody has begun meanwhile. */
const finishMs = 10 * 60_000

/** Disposed of, it accepts no connection any more, and waits until those that it has passed on have ended. */
export type Holder = AsyncDisposable & {
  port: number
  hold(): void
  /** Those that wait, and those to come, lead to this port of the machine, until `hold`. */
  passTo(port: number): void
  /** From the last `hold` to `passTo`. */
  heldMs(): number
}

/** Throws where something listens at this port. */
export async function openHolder(wantedPort: number, { maxMs = holdMs } = {}): Promise<Holder> {
  const connections = new Set<Socket>()
  const waiting = new Set<Socket>()
  let target: number | undefined
  let heldSince = Date.now()
  let heldMs = 0

  function pass(socket: Socket, port: number): void {
    waiting.delete(socket)
    socket.setTimeout(0)
    // Where one side fails, both are closed.
    pipeline(socket, connect({ port, host: '127.0.0.1', noDelay: true }), socket, () => undefined)
  }

  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    connections.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => connections.delete(socket) && waiting.delete(socket))
    if (target !== undefined) return pass(socket, target)
    waiting.add(socket)
    socket.setTimeout(maxMs, () => socket.destroy())
  })
  await once(server.listen(wantedPort, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')

  return {
    port: address.port,
    hold() {
      target = undefined
      heldSince = Date.now()
    },
    passTo(port) {
      target = port
      heldMs = Date.now() - heldSince
      for (const socket of waiting) pass(socket, port)
    },
    heldMs: () => heldMs,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of waiting) socket.destroy()
      // Caddy ends a connection that has been idle for 3 s, with a Caddyfile of 0.2.0 for two minutes.
      await Promise.race([closed, sleep(finishMs, undefined, { ref: false })])
      for (const socket of connections) socket.destroy()
    },
  }
}
