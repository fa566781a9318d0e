// Migrating a database: by several processes at once, and when there is nothing to do.
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { makeNextMigrations } from '#test/next-migrations.ts'
import { openDatabase } from './client.ts'
import about from '../../../package.json' with { type: 'json' }
import { compareSchema, migrateDatabase, migrateTo, newestMigration } from './migrate.ts'

test('four processes that start at once on an empty database migrate it once', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const databases = Array.from({ length: 4 }, () => openDatabase(empty.url))
  await Promise.all(databases.map((database) => migrateDatabase(database)))

  const { rows } = await databases[0]!.pool.query<{ created_at: number }>(
    'select created_at from drizzle.__drizzle_migrations order by id',
  )
  expect(rows.at(-1)).toEqual({ created_at: newestMigration() })
  expect(new Set(rows.map(({ created_at }) => created_at)).size).toBe(rows.length)
  await Promise.all(databases.map((database) => database.close()))
})

test('a database that is up to date is left as it is', async () => {
  await using cloned = await createTestDatabase()
  await using database = openDatabase(cloned.url)
  const history = () =>
    database.pool.query('select * from drizzle.__drizzle_migrations').then(({ rows }) => rows)
  const before = await history()
  await migrateDatabase(database)
  expect(await history()).toEqual(before)
})

test('data of a newer version are used as they are where the migration allows this one, and refused else', async () => {
  const schemaOf = async (...statements: string[]) => {
    await using next = await makeNextMigrations(...statements)
    await using cloned = await createTestDatabase()
    await using database = openDatabase(cloned.url)
    await migrateDatabase(database, { migrations: next.path })
    const schema = await compareSchema(database.pool)
    if (schema === 'newer') await migrateDatabase(database)
    else await expect(migrateDatabase(database)).rejects.toThrow('a newer version of Lectern')
    return schema
  }
  const add = 'create table next (id uuid primary key)'
  expect(await schemaOf(add)).toBe('newer')
  const drop = (since: string) => `-- contract: unused since ${since}\ndrop table if exists nothing`
  expect(await schemaOf(drop(about.version))).toBe('newer')
  expect(await schemaOf(add, drop('99.0.0'))).toBe('too_new')
})

test('data whose migrations do not say who may start on them are refused and left as they are', async () => {
  await using cloned = await createTestDatabase()
  await using database = openDatabase(cloned.url)
  await database.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer shop', 9999999999999)`,
  )
  await expect(migrateDatabase(database)).rejects.toThrow('a newer version of Lectern')
})

/** The newest migration of 0.2.0, which was never published, in milliseconds since 1970. */
const before030 = 1795909830796

test('data from before 0.3.0 are refused and left as they are, in words that name that version', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using database = openDatabase(empty.url)
  await database.pool.query('create schema drizzle')
  await database.pool.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  await database.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of 0.2.0', $1)`,
    [before030],
  )
  await expect(migrateDatabase(database)).rejects.toThrow('Lectern before 0.3.0')
  const { rows } = await database.pool.query(`select to_regclass('purchases') as found`)
  expect(rows).toEqual([{ found: null }])
})

test('a database is brought to the schema of a backup, and from there to the newest', async () => {
  await using next = await makeNextMigrations('create table next (id uuid primary key)')
  await using empty = await createTestDatabase({ empty: true })
  await using database = openDatabase(empty.url)
  const client = new Client(empty.url)
  await client.connect()
  await expect(migrateTo(client, before030)).rejects.toThrow('Lectern before 0.3.0')
  await migrateTo(client, newestMigration())
  await expect(migrateTo(client, newestMigration() + 1)).rejects.toThrow('a newer version of Lectern')
  await client.end()
  const tables = async () =>
    (await database.pool.query(`select to_regclass('purchases') as own, to_regclass('next') as next`)).rows
  expect(await tables()).toEqual([{ own: 'purchases', next: null }])
  await migrateDatabase(database, { migrations: next.path })
  expect(await tables()).toEqual([{ own: 'purchases', next: 'next' }])
})

test('a migration waits for a query of another process, and lets others query meanwhile', async () => {
  await using next = await makeNextMigrations('alter table checkouts add column next text')
  await using cloned = await createTestDatabase()
  await using database = openDatabase(cloned.url)
  await using other = openDatabase(cloned.url)
  const client = await other.pool.connect()
  await client.query('begin')
  await client.query('select from checkouts')
  const onWait = vi.fn<(reason: string) => void>()
  const migrated = migrateDatabase(database, { onWait, migrations: next.path })
  await expect.poll(() => onWait.mock.calls, { timeout: 5_000 }).toEqual([[expect.stringMatching('queries')]])
  await other.pool.query('select from checkouts')
  await client.query('commit')
  client.release()
  await migrated
})
