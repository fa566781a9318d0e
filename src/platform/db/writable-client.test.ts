// Rules of a DATABASE_URL that names several hosts.
import { createServer } from 'node:net'
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { isUnavailable, openDatabase } from './client.ts'
import { splitHosts } from '../../variables.ts'
import { WritableClient } from './writable-client.ts'

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
