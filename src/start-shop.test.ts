// Rules of a running server: what several do together, and how one stops.
import { Agent, get, type IncomingMessage } from 'node:http'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import dns from 'node:dns'
import { beforeAll, expect, test, vi } from 'vitest'
import { giveFile } from '#test/factories.ts'
import { createTestDatabase } from '#test/database.ts'
import { openDatabaseProxy } from '#test/database-proxy.ts'
import { findFreePort } from '#test/find-free-port.ts'
import { openLogLines } from '#test/log-lines.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { startPostgresOwner } from '#test/postgres-owner.ts'
import { readConfig } from './config.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { errorCode, failureReason } from '#platform/errors.ts'
import { createLog, type Log } from '#platform/log.ts'
import { startShop } from './start-shop.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

/** Starts servers on one database and one data folder, as several machines with shared storage would be. */
async function openTarget(
  owner?: { url: string },
  settings: Record<string, string> = {},
  log: Log = createLog('silent'),
) {
  await using undo = new AsyncDisposableStack()
  const place = owner ?? undo.use(await createTestDatabase({ empty: true }))
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-server-'))
  undo.defer(() => folder.remove())
  const database = undo.use(openDatabase(place.url))
  const env = { DATABASE_URL: place.url, DATA_DIR: folder.path, PORT: '0', HOST: '127.0.0.1' }
  const admin = { ADMIN_EMAIL: 'author@books.example', ADMIN_PASSWORD: 'correct horse' }
  const config = readConfig({ ...env, ...admin, ...settings })

  const stack = undo.move()
  async function start(clock = () => new Date(), repeatMs?: number) {
    const server = await startShop(config, { log, databaseUrl: place.url, clock }, repeatMs)
    stack.defer(() => server.stop())
    return { ...server, url: `http://127.0.0.1:${server.port}` }
  }
  return { ...database, dataDir: folder.path, start, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** More than sockets hold, so that the server has to wait for its user. */
const size = 40_000_000

type Post = (path: string, body: object, at?: string) => Promise<Response>

async function signInAsAuthor(url: string): Promise<Post> {
  let authorization = ''
  function post(path: string, body: object, at = url): Promise<Response> {
    const headers = { 'content-type': 'application/json', authorization }
    return fetch(`${at}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const credentials = { email: 'author@books.example', password: 'correct horse' }
  const response = await post('/auth/v1/token?grant_type=password', credentials)
  authorization = `Bearer ${((await response.json()) as { access_token: string }).access_token}`
  return post
}

/** The author buys the book and begins to save it, the first bytes unread. */
async function beginDownload(
  url: string,
  { db, pool, dataDir }: Pick<Database, 'db' | 'pool'> & { dataDir: string },
): Promise<IncomingMessage> {
  const post = await signInAsAuthor(url)
  const [{ id: product_id }] = await findBook({ pool })
  const { id } = (await (await post('/api/purchases', { product_id })).json()) as { id: string }
  await writeFile(join(dataDir, 'files/ebooks/large.epub'), Buffer.alloc(size))
  await giveFile(db, { product_id, file_path: 'ebooks/large.epub' })
  const link = (await (await post(`/api/purchases/${id}/download`, {})).json()) as { url: string }
  return new Promise((resolve, reject) => {
    get(`${url}${link.url}`, resolve).on('error', reject)
  })
}

async function findBook({ pool }: Pick<Database, 'pool'>): Promise<[{ id: string }]> {
  const { rows } = await pool.query<{ id: string }>(`select id from products where format = 'digital'`)
  return [rows[0]!]
}

class DisposableAgent extends Agent {
  [Symbol.dispose] = () => this.destroy()
}

/** The status, and whether the server keeps the connection open. */
function askOnce(url: string, agent: Agent): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve([response.statusCode, response.headers.connection]))
    })
    request.on('error', reject)
  })
}

test('servers that start together on an empty database make one shop, and all tell of a new price', async () => {
  await using place = await openTarget()
  const servers = await Promise.all([place.start(), place.start()])
  const pages = async () => Promise.all(servers.map(async ({ url }) => (await fetch(url)).text()))
  for (const page of await pages()) expect(page).toContain('24.99')
  const { rows } = await place.pool.query(`
    select (select count(*) from products) as products, (select count(*) from profiles) as profiles,
      (select count(*) from user_roles where role = 'admin') as admins`)
  expect(rows).toEqual([{ products: 4, profiles: 1, admins: 1 }])

  await place.pool.query(`update products set price = 31.5 where format = 'paperback'`)
  await expect.poll(pages).toEqual([expect.stringContaining('31.50'), expect.stringContaining('31.50')])
})

test('a start that loses the database begins again until it is back, and the shop is not ready before its end', async () => {
  await using database = await createTestDatabase()
  await using through = await openDatabaseProxy(database.url)
  const port = String(await findFreePort())
  const { log, lines } = openLogLines('debug')
  await using target = await openTarget(through, { PORT: port }, log)
  await using holder = openDatabase(database.url, { max: 1 })
  const client = await holder.pool.connect()
  await using undo = new AsyncDisposableStack()
  undo.defer(() => client.release(true))
  // Read late in the start.
  await client.query('begin; lock table checkout_searches')
  const started = target.start()
  undo.defer(() => started.then(({ stop }) => stop()).catch(() => undefined))
  const isReady = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/api/ready`)
    return [response.status, await response.json()]
  }
  await untilWaiting(target, 1)
  expect(await isReady()).toEqual([503, { status: 'the shop is starting' }])
  const comeBack = await through.proxy.refuse()
  const attempts = () => lines.filter(({ msg }) => msg === 'the start begins again')
  await expect.poll(() => attempts().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(3)
  await comeBack()
  await expect.poll(isReady, { timeout: 30_000 }).toEqual([503, { status: 'the shop is starting' }])
  await client.query('rollback')
  await started
  expect(await isReady()).toEqual([200, { status: 'ok' }])
})

test('a start ends at once where the password, the database or the host is wrong, and in time where nothing comes back', async () => {
  await using database = await createTestDatabase()
  await using through = await openDatabaseProxy(database.url)
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(through.url)
    change(url)
    return url.href
  }
  const startAt = async (url: string, repeatMs?: number) => {
    const { log, lines } = openLogLines('debug')
    await using target = await openTarget({ url }, {}, log)
    const error = await target.start(undefined, repeatMs).catch((thrown: unknown) => thrown)
    return [failureReason(error), lines.length]
  }
  const password = wrong((url) => (url.password = 'guess'))
  const name = wrong((url) => (url.pathname = '/nothing'))
  const host = wrong((url) => (url.host = 'database.invalid'))
  expect(await startAt(password)).toEqual([expect.stringContaining('password authentication failed'), 0])
  expect(await startAt(name)).toEqual(['database "nothing" does not exist', 0])
  expect(await startAt(host)).toEqual([expect.stringContaining('database.invalid'), 0])
  expect(await startAt(password.replace(/(127\.0\.0\.1:\d+)/, '$1,$1'))).toEqual([
    expect.stringContaining('password authentication failed'),
    0,
  ])
  await through.proxy.refuse()
  expect(await startAt(through.url, 1_500)).toEqual([expect.stringContaining('ECONNREFUSED'), 2])
})

test('a database whose name is unknown while it is started again is waited for', async () => {
  await using database = await createTestDatabase()
  await using through = await openDatabaseProxy(database.url)
  const url = through.url.replace('127.0.0.1', 'localhost')
  const { log, lines } = openLogLines('debug')
  await using target = await openTarget({ url }, {}, log)
  const comeBack = await through.proxy.refuse()
  const started = target.start()
  started.catch(() => undefined)
  const countOf = (start: string) => lines.filter(({ msg }) => String(msg).startsWith(start)).length
  await expect.poll(() => countOf('the database is away')).toBe(1)
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
    const [host, callback] = [args[0], args.at(-1)]
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${String(host)}`), { code: 'ENOTFOUND' })
    if (typeof callback === 'function') callback(error)
  })
  const before = countOf('the start begins again')
  await expect.poll(() => countOf('the start begins again'), { timeout: 30_000 }).toBeGreaterThan(before + 1)
  expect(lookup).toHaveBeenCalled()
  lookup.mockRestore()
  await comeBack()
  const { url: site } = await started
  expect((await fetch(`${site}/api/ready`)).status).toBe(200)
})

test('servers whose clocks differ by half a minute share sessions and download links', async () => {
  await using place = await openTarget()
  const [early, late] = await Promise.all([
    place.start(() => new Date(Date.now() - 15_000)),
    place.start(() => new Date(Date.now() + 15_000)),
  ])
  const [{ id: product_id }] = await findBook(place)
  await giveFile(place.db, { product_id, file_path: 'ebooks/small.epub' })
  await writeFile(join(place.dataDir, 'files/ebooks/small.epub'), 'a book')
  for (const [one, other] of [
    [early, late],
    [late, early],
  ] as const) {
    const post = await signInAsAuthor(one.url)
    const at = (path: string, body: object) => post(path, body, other.url)
    const { id } = (await (await at('/api/purchases', { product_id })).json()) as { id: string }
    const link = (await (await post(`/api/purchases/${id}/download`, {})).json()) as { url: string }
    expect(await (await fetch(other.url + link.url)).text()).toBe('a book')
    expect((await at('/auth/v1/logout', {})).status).toBe(204)
    expect((await post('/api/purchases', { product_id })).status).toBe(401)
  }
})

test('a server that is asked to stop finishes what it has begun and takes nothing new', async () => {
  await using place = await openTarget()
  const server = await place.start()
  const response = await beginDownload(server.url, place)
  const stopping = server.stop()
  const connect = () =>
    fetch(`${server.url}/api/health`).then(
      () => 'connected',
      () => 'refused',
    )
  await expect.poll(connect).toBe('refused')
  expect((await buffer(response)).length).toBe(size)
  const before = Date.now()
  await stopping
  // Less than a request in flight is given to finish.
  expect(Date.now() - before).toBeLessThan(5_000)
})

test('behind a load balancer a server is first not ready, goes on serving, and ends its connections', async () => {
  await using place = await openTarget(undefined, { DRAIN_SECONDS: '0.5' })
  const { url, stop } = await place.start()
  using agent = new DisposableAgent({ keepAlive: true, maxSockets: 1 })
  const call = (path: string) => askOnce(url + path, agent)
  expect(await call('/api/ready')).toEqual([200, 'keep-alive'])

  const stopping = stop()
  expect(await call('/api/ready')).toEqual([503, 'close'])
  expect(await call('/api/products')).toEqual([200, 'close'])
  expect(await call('/')).toEqual([200, 'close'])
  await expect.poll(() => call('/api/products').catch(errorCode)).toBe('ECONNREFUSED')
  await stopping
})

test('a user who takes no bytes does not keep a server from stopping', async () => {
  await using place = await openTarget()
  const server = await place.start()
  const response = await beginDownload(server.url, place)
  await server.stop()
  await expect(buffer(response)).rejects.toThrow('aborted')
})

test('with the database gone the page and the products still come, and what needs it asks to try again', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-owner-'))
  using owner = await startPostgresOwner({ dataDir: folder.path })
  await using place = await openTarget(owner)
  const { url } = await place.start()
  const post = await signInAsAuthor(url)
  const products = (await (await fetch(`${url}/api/products`)).json()) as { id: string }[]
  const page = await (await fetch(url)).text()
  await owner.stop()

  expect((await fetch(`${url}/api/ready`)).status).toBe(503)
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
  expect(await (await fetch(url)).text()).toBe(page)
  expect(await (await fetch(`${url}/api/products`)).json()).toEqual(products)
  const refused = await post('/api/purchases', { product_id: products[0]!.id })
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await refused.json()).toMatchObject({ status: 503, code: 'server.unavailable' })
  const message = { name: 'Ada', email: 'ada@example.com', subject: 'Hello', message: 'Amen' }
  expect((await post('/api/contact', message)).status).toBe(503)
})
