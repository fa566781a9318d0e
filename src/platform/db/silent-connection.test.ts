// Rules of a connection to the database on which nothing comes any more, and which nobody has closed.
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openDatabaseProxy } from '#test/database-proxy.ts'
import { createLog } from '../log.ts'
import { isUnavailable, openDatabase } from './client.ts'
import { listen } from './listen.ts'
import { WritableClient } from './writable-client.ts'

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
  const timing = { checkMs: 50, responseMs: 200 }
  const listener = listen(
    { url: proxied.url, channels: ['news'], application_name: 'news' },
    handlers,
    createLog('silent'),
    timing,
  )
  await expect.poll(() => heard).toEqual(['connected'])
  proxied.proxy.abandon()
  await expect.poll(() => heard).toEqual(['connected', 'lost', 'connected'])
  await using database = openDatabase(created.url)
  await database.pool.query(`select pg_notify('news', 'sold')`)
  await expect.poll(() => heard).toEqual(['connected', 'lost', 'connected', 'sold'])
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
