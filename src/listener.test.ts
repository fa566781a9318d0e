// Rules of what stands before the application.
import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createListener } from './listener.ts'

type Situation = { products?: string; page?: string; hasDatabase?: boolean; siteUrl?: string }

/** A server whose application comes when `open` is called, and says which request it got. */
async function openServer({ products, page, hasDatabase = true, siteUrl = 'http://localhost' }: Situation) {
  const { promise, resolve, reject } = Promise.withResolvers<RequestListener>()
  let asked = 0
  const query = async () => {
    if (!hasDatabase) throw new Error('away')
  }
  const services = {
    catalogue: { peek: () => (products ? { products: [], json: products } : undefined) },
    config: { siteUrl, dataDir: tmpdir() },
    database: { pool: { query } },
  }
  const content = { status: 200, headers: { 'content-length': String(page?.length) }, body: page! }
  const site = { peek: () => (page ? content : undefined) }
  const listener = createListener(services as never, site, () => {
    asked++
    return promise
  })
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ask: (path: string, method = 'GET') => fetch(url + path, { method }),
    asked: () => asked,
    open: () => resolve(({ method, url }, response) => response.end(`application: ${method} ${url}`)),
    fail: () => reject(new Error('a part is missing')),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('health is told without the application, to GET and HEAD, whatever is asked along', async () => {
  await using server = await openServer({})
  for (const path of ['/api/health', '/api/ready', '/api/ready?now=1']) {
    const answer = await server.ask(path)
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const head = await server.ask(path, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '15'])
  }
  expect(server.asked()).toBe(0)
})

test('without its database the server lives, but is not ready', async () => {
  await using server = await openServer({ hasDatabase: false })
  expect((await server.ask('/api/health')).status).toBe(200)
  const answer = await server.ask('/api/ready')
  expect([answer.status, await answer.json()]).toEqual([503, { status: 'the database is away' }])
})

test('what lies ready goes out at once, and only to a GET', async () => {
  await using server = await openServer({ products: '[{"name":"Book"}]', page: '<p>Home' })
  expect(await (await server.ask('/api/products')).json()).toEqual([{ name: 'Book' }])
  expect(await (await server.ask('/')).text()).toBe('<p>Home')
  server.open()
  expect(await (await server.ask('/', 'POST')).text()).toBe('application: POST /')
})

test('everything else waits until the application is there', async () => {
  await using server = await openServer({})
  const waiting = [server.ask('/'), server.ask('/api/products'), server.ask('/api/ready', 'DELETE')]
  await expect.poll(() => server.asked()).toBe(3)
  server.open()
  const answers = await Promise.all(waiting.map(async (answer) => (await answer).text()))
  expect(answers).toEqual([
    'application: GET /',
    'application: GET /api/products',
    'application: DELETE /api/ready',
  ])
})

test('an application that cannot be had cuts off who waits, and takes nothing else with it', async () => {
  await using server = await openServer({})
  const waiting = expect(server.ask('/')).rejects.toThrow('fetch failed')
  await expect.poll(() => server.asked()).toBe(1)
  server.fail()
  await waiting
  expect((await server.ask('/api/health')).status).toBe(200)
})

test('browsers are told to insist on https with every answer, only where the shop has it', async () => {
  const header = 'strict-transport-security'
  for (const [siteUrl, told] of [
    ['https://shop.example', 'max-age=31536000'],
    ['http://localhost:3000', null],
  ] as const) {
    await using server = await openServer({ siteUrl, page: '<p>Home', products: '[]' })
    server.open()
    for (const path of ['/', '/api/products', '/api/health', '/api/ready', `/${'a'.repeat(5_000)}`])
      expect((await server.ask(path)).headers.get(header), path).toBe(told)
    expect((await server.ask('/', 'POST')).headers.get(header)).toBe(told)
  }
})
