import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findFreePort } from '#test/find-free-port.ts'
import { openHolder } from './holder.ts'

/** Sends back what it gets. */
async function openEcho(port: number): Promise<Server & AsyncDisposable> {
  const server = createServer({ keepAliveTimeout: 100 }, (incoming, response) => {
    void text(incoming).then((body) => response.end(body))
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return server
}

/** As Caddy does it: over a connection that it would use again. */
async function post(port: number, body: string): Promise<string> {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { connection: 'keep-alive' } })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return await text(response)
}

test('requests that come while nothing listens get their responses afterwards', async () => {
  const port = await findFreePort()
  const holder = await openHolder(0)
  const bodies = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(100_000))
  const responses = bodies.map((body) => post(holder.port, body))
  await sleep(200)
  await using _shop = await openEcho(port)
  holder.passTo(port)
  expect(await Promise.all(responses)).toEqual(bodies)
  expect(await post(holder.port, 'one more')).toBe('one more')

  holder.hold()
  const later = post(holder.port, 'held again')
  await sleep(100)
  holder.passTo(port)
  expect(await later).toBe('held again')
  // The shop closes what is idle, and the holder has an end.
  await holder[Symbol.asyncDispose]()
  await expect(post(holder.port, 'too late')).rejects.toThrow('ECONNREFUSED')
})

test('a request that is under way is finished before the holder ends', async () => {
  const port = await findFreePort()
  await using _shop = await openEcho(port)
  const holder = await openHolder(0)
  holder.passTo(port)
  const sent = request({ port: holder.port, host: '127.0.0.1', method: 'POST' })
  sent.write('first, ')
  await sleep(100)
  const ended = holder[Symbol.asyncDispose]()
  await sleep(300)
  sent.end('second')
  const [response] = await once(sent, 'response')
  expect(await text(response)).toBe('first, second')
  await ended
})

test('what waits too long is closed, and so is what waits at the end', async () => {
  await using impatient = await openHolder(0, { maxMs: 100 })
  await expect(post(impatient.port, 'body')).rejects.toThrow(/socket hang up|ECONNRESET/)
  const holder = await openHolder(0)
  const left = expect(post(holder.port, 'body')).rejects.toThrow(/socket hang up|ECONNRESET/)
  await sleep(100)
  await holder[Symbol.asyncDispose]()
  await left
})

test('a port that is taken is said', async () => {
  await using holder = await openHolder(0)
  await expect(openHolder(holder.port)).rejects.toThrow('EADDRINUSE')
})
