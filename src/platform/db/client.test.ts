import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { money } from '#tables/columns.ts'
import { isUnavailable, openDatabase, type Database, WritableClient } from './client.ts'
import { openDatabaseProxy } from '#test/database-proxy.ts'
import { createLog } from '../log.ts'
import { listen } from './listen.ts'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { splitHosts } from '../../variables.ts'

const figures =
  "select 14.99::numeric(10,2) as price, 3::bigint as copies, '2026-01-02T03:04:05Z'::timestamptz as day"
const asNumbers = { price: 14.99, copies: 3 }

test('money and counts are numbers, asked through the pool or through drizzle', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url)
  const pooled = await database.pool.query(figures)
  const executed = await database.db.execute(sql.raw(figures))
  const selected = await database.db
    .select({ price: sql`14.99::numeric`, copies: sql`count(*)` })
    .from(sql`(values (1),(2),(3)) v`)
  expect(pooled.rows[0]).toMatchObject(asNumbers)
  expect(pooled.rows[0].day).toEqual(new Date('2026-01-02T03:04:05Z'))
  expect(executed.rows[0]).toMatchObject(asNumbers)
  expect(selected).toEqual([asNumbers])
})

test('cents are written as decimals by a column of money, and refused without one', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url)
  const table = pgTable('amounts', { amount: money() })
  const written = sql`select ${sql.param(1999n, table.amount)}::text as amount`
  expect((await database.db.execute(written)).rows).toEqual([{ amount: '19.99' }])
  const read = await database.db
    .select({ amount: sql`-0.05::numeric`.mapWith(table.amount) })
    .from(sql`(values (1)) v`)
  expect(read).toEqual([{ amount: -5n }])
  await expect(database.db.execute(sql`select ${1999n}::numeric`)).rejects.toThrow()
})

test('after a refused parameter, a connection that dies does not end the process', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url, { max: 1 })
  const client = await database.pool.connect()
  client.release()
  await expect(database.pool.query('select $1::numeric', [1999n])).rejects.toThrow('in cents')
  client.emit('error', new Error('terminating connection'))
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a connection that dies within a transaction or at rest fails its query, not the process', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url)
  await using other = openDatabase(created.url, { max: 1 })
  const lost = database.db.transaction(async (tx) => {
    await tx.execute(sql`select 1`)
    await killConnections(other)
    await tx.execute(sql`select 1`)
  })
  expect(isUnavailable(await lost.catch((error) => error))).toBe(true)

  await database.db.execute(sql`select 1`)
  await killConnections(other)
  await expect.poll(() => database.pool.totalCount).toBe(0)
  await database.db.execute(sql`select 1`)
})

test('a connection that dies as a transaction begins is not kept', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url, { max: 1 })
  await database.db.execute(sql`select 1`)
  database.pool.once('acquire', (client) => {
    client.connection.stream.destroy()
  })
  const lost = database.db.transaction((tx) => tx.execute(sql`select 1`))
  expect(isUnavailable(await lost.catch((error) => error))).toBe(true)
  await database.db.transaction((tx) => tx.execute(sql`select 1`))
  expect(database.pool.idleCount).toBe(1)
})

test('a server that cannot be reached is distinguished from a wrong query', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url)
  await using nowhere = openDatabase('postgres://lectern@localhost/postgres?host=%2Fnowhere')
  await using closed = openDatabase('postgres://lectern@127.0.0.1:1/postgres')
  const failure = (db: Database, query: string) => db.db.execute(sql.raw(query)).catch((error) => error)
  expect(isUnavailable(await failure(nowhere, 'select 1'))).toBe(true)
  expect(isUnavailable(await failure(closed, 'select 1'))).toBe(true)
  expect(isUnavailable(await failure(database, 'set statement_timeout = 1; select pg_sleep(1)'))).toBe(true)
  expect(isUnavailable(await failure(database, 'select 1/0'))).toBe(false)
  expect(isUnavailable(await failure(database, 'select nothing'))).toBe(false)
  expect(isUnavailable(new Error('anything else'))).toBe(false)
})

async function killConnections(database: Database) {
  await database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

// Rules of a connection to the database on which nothing comes any more, and which nobody has closed.

test('a transaction fails after the time of one query, and its connection is not used again', async () => {
  await using created = await createTestDatabase()
  await using proxied = await openDatabaseProxy(created.url)
  const statementMs = 600
  await using database = openDatabase(proxied.url, { max: 1, statementMs })
  await database.db.execute(sql`create table written ()`)
  const started = Date.now()
  const failure = await database.db
    .transaction(async (tx) => {
      await tx.execute(sql`insert into written default values`)
      proxied.proxy.abandon()
      await tx.execute(sql`select 1`)
    })
    .catch((error: unknown) => error)
  expect(isUnavailable(failure)).toBe(true)
  expect(Date.now() - started).toBeLessThan(2 * statementMs)
  const { rows } = await database.db.execute(sql`select count(*) from written`)
  expect(rows).toEqual([{ count: 0 }])
})

test('a connection that is silent as it opens fails in the time for connecting', async () => {
  await using created = await createTestDatabase()
  await using proxied = await openDatabaseProxy(created.url)
  await using database = openDatabase(proxied.url, { connectMs: 300 })
  const started = Date.now()
  proxied.proxy.link.isBlackHole = true
  expect(isUnavailable(await database.pool.query('select 1').catch((error: unknown) => error))).toBe(true)
  expect(Date.now() - started).toBeLessThan(1_000)
})

test('a listener notices that its connection is silent, and takes another', async () => {
  await using created = await createTestDatabase()
  await using proxied = await openDatabaseProxy(created.url)
  const heard: string[] = []
  const handlers = {
    onMessage: (payload: string) => void heard.push(payload),
    onConnect: () => void heard.push('connected'),
    onLost: () => void heard.push('lost'),
  }
  const timing = { checkMs: 50, responseMs: 1_000 }
  const poll = { timeout: 20_000 }
  const listener = listen(
    { url: proxied.url, channels: ['news'], application_name: 'news' },
    handlers,
    createLog('silent'),
    timing,
  )
  await expect.poll(() => heard, poll).toEqual(['connected'])
  proxied.proxy.abandon()
  await expect.poll(() => heard, poll).toEqual(['connected', 'lost', 'connected'])
  await using database = openDatabase(created.url)
  await database.pool.query(`select pg_notify('news', 'sold')`)
  await expect.poll(() => heard, poll).toEqual(['connected', 'lost', 'connected', 'sold'])
  proxied.proxy.abandon()
  await listener.close()
})

test('closing does not wait for a server that is silent', async () => {
  await using created = await createTestDatabase()
  await using proxied = await openDatabaseProxy(created.url)
  const client = new WritableClient({ connectionString: proxied.url })
  await client.connect()
  proxied.proxy.abandon()
  const started = Date.now()
  await client.end()
  expect(Date.now() - started).toBeLessThan(5_000)
})

test('PostgreSQL closes a connection whose shop has vanished', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url)
  const { rows } = await database.pool.query('show idle_session_timeout')
  expect(rows).toEqual([{ idle_session_timeout: '10min' }])
})

// Rules of a DATABASE_URL that names several hosts.

test('a url names as many addresses as hosts, and nothing but a database to write to', () => {
  const url = 'postgres://u:p%40@h1:5432,h2,[::1]:5433/db?target_session_attrs=read-write&sslmode=require'
  expect(splitHosts(url)).toEqual([
    'postgres://u:p%40@h1:5432/db?sslmode=require',
    'postgres://u:p%40@h2/db?sslmode=require',
    'postgres://u:p%40@[::1]:5433/db?sslmode=require',
  ])
  expect(splitHosts('postgresql://h/db?target_session_attrs=primary')).toEqual(['postgresql://h/db'])
  expect(splitHosts('postgres://u@localhost/db?host=%2Frun')).toEqual([
    'postgres://u@localhost/db?host=%2Frun',
  ])
  for (const wrong of [
    'mysql://h/db',
    'h/db',
    'postgres://h1:port,h2/db',
    'postgres://h1,h2/db?target_session_attrs=any',
  ]) {
    expect([wrong, splitHosts(wrong)]).toEqual([wrong, undefined])
  }
})

test('of several hosts the one that accepts writes is used, and without one a caller may try again', async () => {
  await using created = await createTestDatabase()
  const { username, password, searchParams, pathname } = new URL(created.url)
  const here = `${encodeURIComponent(searchParams.get('host')!)}:${searchParams.get('port') ?? 5432}`
  // Accepts a connection, as a host that is stuck, and never responds.
  await using silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = (...hosts: string[]) => `postgres://${username}:${password}@${hosts.join(',')}${pathname}`
  const address = silent.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const others = ['127.0.0.1:1', `127.0.0.1:${address.port}`]
  await using database = openDatabase(url(...others, here))
  await database.db.transaction((tx) => tx.execute(sql`create table written ()`))
  const client = new WritableClient({ connectionString: url(...others, here) })
  await client.connect()
  await client.end()

  await database.pool.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
  await using later = openDatabase(url('127.0.0.1:1', here))
  const refused = await later.pool.query('select 1').catch((error: unknown) => error)
  expect(String(refused)).toMatch(/No host of DATABASE_URL accepts writes: .*ECONNREFUSED.*is read-only/)
  expect(isUnavailable(refused)).toBe(true)
})
