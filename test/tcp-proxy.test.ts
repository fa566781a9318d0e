// The proxy that tests and crash tests put between the shop and what it needs.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTcpProxy } from './tcp-proxy.ts'

async function openEcho() {
  const server = createServer((socket) => void socket.on('error', () => undefined).pipe(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}

function open(port: number) {
  const socket = connect(port, '127.0.0.1')
  const found = { heard: '', error: '', isClosed: false }
  socket.on('data', (bytes) => void (found.heard += bytes.toString()))
  socket.on('error', (error) => void (found.error = (error as NodeJS.ErrnoException).code!))
  socket.on('close', () => void (found.isClosed = true))
  return { socket, found }
}

test('bytes pass late, slowly, not at all, or not any more', async () => {
  await using echo = await openEcho()
  await using proxy = await openTcpProxy({ port: echo.port, host: '127.0.0.1' })
  const { socket, found } = open(proxy.port)
  socket.write('one ')
  await expect.poll(() => found.heard).toBe('one ')
  expect(proxy.count()).toBe(1)

  proxy.link.latencyMs = 100
  const since = Date.now()
  socket.write('two ')
  await expect.poll(() => found.heard).toBe('one two ')
  expect(Date.now() - since).toBeGreaterThanOrEqual(199)

  proxy.link.latencyMs = 0
  proxy.link.bytesPerSecond = 100
  socket.write('0123456789')
  await sleep(100)
  expect(found.heard).toBe('one two ')
  await expect.poll(() => found.heard).toBe('one two 0123456789')

  proxy.link.bytesPerSecond = Infinity
  proxy.link.isBlackHole = true
  socket.write(' three')
  const silent = open(proxy.port)
  await once(silent.socket, 'connect')
  silent.socket.end('nothing')
  await sleep(100)
  expect([found.heard, silent.found.heard, silent.found.isClosed]).toEqual(['one two 0123456789', '', false])
  proxy.link.isBlackHole = false
  await expect
    .poll(() => [found.heard, silent.found.heard, silent.found.isClosed])
    .toEqual(['one two 0123456789 three', 'nothing', true])

  proxy.cut()
  await expect.poll(() => [found.error, found.isClosed, proxy.count()]).toEqual(['ECONNRESET', true, 0])

  const accept = await proxy.refuse()
  const refused = open(proxy.port)
  await expect.poll(() => refused.found.error).toBe('ECONNREFUSED')
  await accept()
  const again = open(proxy.port)
  again.socket.write('four')
  await expect.poll(() => again.found.heard).toBe('four')
  proxy.abandon()
  again.socket.write(' five')
  const other = open(proxy.port)
  other.socket.end('six')
  await expect.poll(() => other.found).toEqual({ heard: 'six', error: '', isClosed: true })
  expect(again.found).toEqual({ heard: 'four', error: '', isClosed: false })
  again.socket.destroy()
})
