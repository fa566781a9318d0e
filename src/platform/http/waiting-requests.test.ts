// Requests between two shops of one process, and those that come as its server closes.
import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { errorCode } from '../errors.ts'
import { createHttpServer, type HttpServer } from './server.ts'

const address = { port: 0, host: '127.0.0.1', socketFd: undefined }

/** Sends back its name and what it gets. */
const openEcho = (http: HttpServer, name: string) =>
  http.open((request, response) => {
    response.write(name)
    request.pipe(response)
  })

const post = async (port: number, body: string) =>
  await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).text()

test('requests that come between two shops get their responses from the second', async () => {
  const http = createHttpServer(address)
  await openEcho(http, 'first ')
  const port = http.port()
  expect(await post(port, 'body')).toBe('first body')
  await http.hold()
  const bodies = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(100_000))
  const responses = bodies.map((body) => post(port, body))
  await sleep(200)
  await openEcho(http, 'second ')
  expect(await Promise.all(responses)).toEqual(bodies.map((body) => `second ${body}`))
  await http.close()
  await expect(post(port, 'too late')).rejects.toThrow()
})

test('a shop that closes ends what is under way, and then what takes too long', async () => {
  const http = createHttpServer(address)
  await http.open((request, response) => {
    if (request.url === '/slow') setTimeout(() => response.end('done'), 300)
  })
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${http.port()}${path}`).then((response) => response.text())
  const [slow, endless] = [ask('/slow'), ask('/endless')]
  endless.catch(() => undefined)
  await sleep(100)
  await http.hold()
  expect(await slow).toBe('done')
  await expect(endless).rejects.toThrow()
  await http.close()
}, 20_000)

test('a connection that has sent nothing yet is given time for its request when its server closes', async () => {
  const http = createHttpServer(address)
  await openEcho(http, 'last ')
  const client = connect(http.port(), '127.0.0.1')
  await once(client, 'connect')
  await sleep(100)
  const closed = http.close()
  await sleep(200)
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody')
  const [response] = (await once(client, 'data')) as [Buffer]
  expect(String(response)).toContain('200 OK')
  expect(String(response).toLowerCase()).toContain('connection: close')
  await closed
})

test('a response that is still being sent when its server closes is sent whole', async () => {
  const http = createHttpServer(address)
  const bytes = 30_000_000
  await http.open((_request, response) => {
    response.writeHead(200, { 'content-length': bytes })
    response.end(Buffer.alloc(bytes))
  })
  const client = connect(http.port(), '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await sleep(200)
  const closed = http.close()
  await sleep(300)
  expect((await buffer(client)).length).toBeGreaterThan(bytes)
  await closed
})

test('what a client that has left was waiting for is not done', async () => {
  const http = createHttpServer(address)
  await openEcho(http, 'first ')
  await http.hold()
  const port = http.port()
  const client = connect(port, '127.0.0.1')
  client.write('POST /left HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody')
  await sleep(100)
  client.destroy()
  await sleep(100)
  const paths: (string | undefined)[] = []
  await http.open((request, response) => {
    paths.push(request.url)
    response.end()
  })
  await fetch(`http://127.0.0.1:${port}/next`)
  expect(paths).toEqual(['/next'])
  await http.close()
})

test('the body of a request that waits is not read, and too many requests are refused', async () => {
  const http = createHttpServer(address)
  await openEcho(http, 'first ')
  await http.hold()
  const large = connect(http.port(), '127.0.0.1')
  large.on('error', () => {})
  const bytes = 64 * 1024 * 1024
  large.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`)
  large.write(Buffer.alloc(bytes))
  const greedy = connect(http.port(), '127.0.0.1')
  greedy.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
  greedy.resume()
  await once(greedy, 'close')
  const others = await Promise.all(
    Array.from({ length: 999 }, async () => {
      const client = connect(http.port(), '127.0.0.1')
      client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      await once(client, 'connect')
      return client
    }),
  )
  await sleep(300)
  expect(large.writableLength).toBeGreaterThan(bytes / 2)
  const refused = await fetch(`http://127.0.0.1:${http.port()}`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  for (const client of others) client.destroy()
  await sleep(300)
  const response = fetch(`http://127.0.0.1:${http.port()}`)
  await sleep(100)
  await openEcho(http, 'second ')
  expect(await (await response).text()).toBe('second ')
  large.destroy()
  await http.close()
})

test('a port that is taken is said', async () => {
  const http = createHttpServer(address)
  await openEcho(http, 'first')
  const taken = createHttpServer({ ...address, port: http.port() })
  expect(await openEcho(taken, 'second').catch(errorCode)).toBe('EADDRINUSE')
  await http.close()
})
