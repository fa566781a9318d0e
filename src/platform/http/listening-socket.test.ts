// The listening socket of the process, of which one HTTP server after the other gets the connections.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { errorCode } from '../errors.ts'
import { createListeningSocket } from './listening-socket.ts'
import { createHttpServer } from './server.ts'

const address = { port: 0, host: '127.0.0.1', socketFd: undefined }

/** Sends back its name and what it gets. */
async function openEcho(socket: ReturnType<typeof createListeningSocket>, name: string) {
  const http = createHttpServer()
  await http.listen(socket, (request, response) => {
    response.write(name)
    request.pipe(response)
  })
  return http
}

const post = async (port: number, body: string) =>
  await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).text()

test('requests that come between two servers get their responses from the second', async () => {
  const socket = createListeningSocket(address)
  const first = await openEcho(socket, 'first ')
  expect(await post(socket.port(), 'body')).toBe('first body')
  const port = socket.port()
  await first.close()
  const bodies = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(100_000))
  const responses = bodies.map((body) => post(port, body))
  await sleep(200)
  const second = await openEcho(socket, 'second ')
  expect(await Promise.all(responses)).toEqual(bodies.map((body) => `second ${body}`))
  socket.close()
  await second.close()
  await expect(post(port, 'too late')).rejects.toThrow()
})

test('a connection that has sent nothing yet is given time for its request when its server closes', async () => {
  const socket = createListeningSocket(address)
  const http = await openEcho(socket, 'last ')
  const client = connect(socket.port(), '127.0.0.1')
  await once(client, 'connect')
  await sleep(100)
  socket.close()
  const closed = http.close()
  await sleep(200)
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody')
  const [response] = (await once(client, 'data')) as [Buffer]
  expect(String(response)).toContain('200 OK')
  await closed
})

test('a client that has left while it waited is forgotten, and a port that is taken is said', async () => {
  const socket = createListeningSocket(address)
  const first = await openEcho(socket, 'first')
  const port = socket.port()
  await first.close()
  const client = connect(port, '127.0.0.1')
  client.end('POST / HTTP/1.1')
  await sleep(100)
  client.destroy()
  await sleep(100)
  const second = await openEcho(socket, 'second ')
  expect(await post(port, 'body')).toBe('second body')
  const taken = createListeningSocket({ ...address, port })
  expect(await openEcho(taken, 'third').catch(errorCode)).toBe('EADDRINUSE')
  socket.close()
  await second.close()
})
