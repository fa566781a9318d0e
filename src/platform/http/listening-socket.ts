// The listening socket of the process, for its whole life. It gives its connections to the HTTP server of the shop that is
// open; between two shops they wait, unread.
import type { Server as HttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'

/**
 * The kernel holds so many connections until they are accepted. Node's own number is 511, to which it would set a socket of
 * systemd back. Linux holds no more than net.core.somaxconn, which is 4096 since 5.4.
 */
const backlog = 4096

/** Bytes that are held of what nothing reads yet. An HTTP server's own option does not reach connections that it is given. */
export const highWaterMark = 16 * 1024

/** `socketFd` takes the place of the others. */
type Address = { port: number; host: string | undefined; socketFd: number | undefined }

export type ListeningSocket = ReturnType<typeof createListeningSocket>

export function createListeningSocket({ port, host, socketFd }: Address) {
  const waiting = new Set<Socket>()
  let open: HttpServer | undefined
  let listening: Promise<void> | undefined
  // A server of node:http gives its own connections `allowHalfOpen` and `noDelay`, too.
  const options = { pauseOnConnect: true, allowHalfOpen: true, noDelay: true, highWaterMark }
  const server = createServer(options, (socket) => {
    if (open) return give(socket, open)
    waiting.add(socket)
    socket.on('error', forget)
    socket.once('close', forget)
  })

  function forget(this: Socket): void {
    waiting.delete(this)
  }

  function give(socket: Socket, to: HttpServer): void {
    to.emit('connection', socket)
    socket.resume()
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
    /** The first call begins to listen. */
    async giveTo(http: HttpServer): Promise<void> {
      await (listening ??= listen())
      open = http
      for (const socket of waiting) {
        waiting.delete(socket)
        socket.off('error', forget)
        socket.off('close', forget)
        give(socket, http)
      }
    },
    /** Connections wait until the next shop opens. */
    hold(): void {
      open = undefined
    },
    /** A connection that was not accepted waits for the next process where systemd holds the socket; else it is refused. */
    close(): void {
      server.close()
      for (const socket of waiting) socket.destroy()
    },
    /** Differs from the one asked for where that is 0, and where systemd holds the socket. */
    port(): number {
      const address = server.address()
      if (typeof address !== 'object' || !address) throw new Error('The server does not listen on a port.')
      return address.port
    },
  }
}
