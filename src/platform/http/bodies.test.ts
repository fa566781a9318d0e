// Bodies: refused before they are read, limited while they are, and ended when they take too long.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'
import { allowSlowBody, endSlowBodies } from './bodies.ts'

const json = { 'content-type': 'application/json' }

/** Sends the head and the beginning of a body, and reads what comes back until the connection ends. */
function begin(url: string, route: string, headers: Record<string, string>, body: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`${route} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

const chunked = { ...json, 'transfer-encoding': 'chunked' }
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`

test('a stranger is refused before the body has come, whatever its length', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const reader = await shop.person()
  const guarded: [route: string, status: number, headers?: Record<string, string>][] = [
    ['PUT /api/admin/book/draft', 401],
    ['POST /api/admin/users', 401],
    ['POST /api/admin/uploads', 401],
    ['POST /api/purchases', 401],
    ['POST /api/me/proof', 401],
    ['POST /functions/v1/admin-create-user', 401],
    ['PUT /api/admin/book/draft', 403, { authorization: `Bearer ${reader.token}` }],
    ['PUT /api/admin/settings/shop', 403, { authorization: `Bearer ${reader.token}` }],
  ]
  const framings = [chunked, { ...json, 'content-length': '9000000' }]
  const begun = guarded.flatMap(([route, status, headers]) =>
    framings.map(async (framing) => {
      const socket = begin(shop.url, route, { ...framing, ...headers }, chunk(10))
      expect([route, await text(socket)]).toEqual([route, expect.stringContaining(`HTTP/1.1 ${status} `)])
    }),
  )
  await Promise.all(begun)
})

test('what an admin sends slowly is refused when the rights have ended before it is complete', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const { id } = await shop.product('digital')
  const account = JSON.stringify({ email: 'new@example.com', password: 'nine good words', role: 'user' })
  const calls: [route: string, body: string][] = [
    [`PATCH /api/admin/products/${id}`, JSON.stringify({ description: 'By a thief' })],
    ['PUT /api/admin/book/draft', JSON.stringify({ revision: 0, document: {} })],
    ['POST /functions/v1/admin-create-user', account],
  ]
  const endings: [status: number, query: string][] = [
    [401, 'update auth.sessions set revoked_at = now() where user_id = $1'],
    [403, `delete from user_roles where role = 'admin' and user_id = $1`],
  ]
  for (const [status, query] of endings) {
    const thief = await shop.person({ role: 'admin' })
    const own = { ...json, authorization: `Bearer ${thief.token}` }
    const begun = calls.map(([route, body]) => {
      const headers = { ...own, 'content-length': String(body.length), connection: 'close' }
      return begin(shop.url, route, headers, body.slice(0, 1))
    })
    // The guards have let them in by then.
    await sleep(500)
    await pool.query(query, [thief.id])
    for (const [nth, [route, body]] of calls.entries()) {
      begun[nth]?.write(body.slice(1))
      const answer = begun[nth] ? await text(begun[nth]) : ''
      expect([route, answer]).toEqual([route, expect.stringContaining(`HTTP/1.1 ${status} `)])
    }
  }
  const { rows } = await pool.query(`select from products where description = 'By a thief'`)
  expect(rows).toHaveLength(0)
})

test('a public route refuses a body that grows beyond its limit, in words', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const routes: [string, number][] = [
    ['POST /api/contact', 64],
    ['POST /auth/v1/token?grant_type=password', 16],
  ]
  for (const [route, kilobytes] of routes) {
    const endless = begin(shop.url, route, chunked, chunk(kilobytes * 1024) + chunk(1))
    const answer = await text(endless)
    expect([route, answer]).toEqual([route, expect.stringContaining('HTTP/1.1 413 ')])
    expect(answer).toContain('larger than this shop accepts')
    const long = { ...json, 'content-length': String(kilobytes * 1024 + 1) }
    expect(await text(begin(shop.url, route, long, 'x'))).toContain('HTTP/1.1 413 ')
  }
  const whole = JSON.stringify({ name: 'A', email: 'a@example.com', subject: 'S', message: 'In pieces' })
  const pieces = Array.from(whole, String)
    .map((letter) => `1\r\n${letter}\r\n`)
    .join('')
  const socket = begin(
    shop.url,
    'POST /api/contact',
    { ...chunked, connection: 'close' },
    `${pieces}0\r\n\r\n`,
  )
  expect(await text(socket)).toContain('HTTP/1.1 201 ')
})

test('a client that sends all before it reads gets the refusal, and its connection serves the next call', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  for (let call = 0; call < 20; call += 1) {
    const body = { document: 'x'.repeat(call * 3_000) }
    expect((await shop.call('PUT', '/api/admin/book/draft', { body })).status).toBe(401)
    expect((await admin.call('GET', '/api/me')).status).toBe(200)
  }
  const large = await shop.call('POST', '/api/contact', { body: { message: 'x'.repeat(200_000) } })
  expect([large.status, await large.json()]).toMatchObject([413, { code: 'request.too_large' }])
})

test('a body that does not come in time ends its connection, but an admin may take longer', async () => {
  const listener: RequestListener = (request, response) => {
    if (request.headers.authorization) allowSlowBody(request)
    void text(request).then(
      (body) => response.end(body),
      () => {},
    )
  }
  const server = createServer(endSlowBodies(listener, 200)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const headers = { 'content-length': '2', connection: 'close' }
  const stranger = begin(url, 'POST /', headers, 'a')
  const admin = begin(url, 'POST /', { ...headers, authorization: 'Bearer x' }, 'a')
  const answers = Promise.all([text(stranger).catch(() => 'cut'), text(admin)])
  await sleep(500)
  admin.write('b')
  const [cut, whole] = await answers
  expect(cut).not.toContain('HTTP/1.1 200')
  expect(whole).toMatch(/ab$/)
  server.close()
})
