// Migrating a database: by several processes at once, and when there is nothing to do.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase } from './client.ts'
import { migrateDatabase, migrateTo } from './migrate.ts'

test('four processes that start at once on an empty database migrate it once', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const databases = Array.from({ length: 4 }, () => openDatabase(empty.url))
  await Promise.all(databases.map((database) => migrateDatabase(database)))

  const migrations = readdirSync(join(import.meta.dirname, 'migrations')).filter((name) =>
    name.endsWith('.sql'),
  )
  const { rows } = await databases[0]!.pool.query('select count(*) from drizzle.__drizzle_migrations')
  expect(rows).toEqual([{ count: migrations.length }])
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

test('data of a newer version are refused and left as they are', async () => {
  await using cloned = await createTestDatabase()
  await using database = openDatabase(cloned.url)
  await database.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer shop', 9999999999999)`,
  )
  await expect(migrateDatabase(database)).rejects.toThrow('a newer version of Lectern')
})

test('a database is brought to the schema of a backup, and from there to the newest', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using database = openDatabase(empty.url)
  const journal: { entries: { when: number }[] } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'migrations/meta/_journal.json'), 'utf8'),
  )
  const client = new Client(empty.url)
  await client.connect()
  await migrateTo(client, journal.entries[0]!.when)
  await expect(migrateTo(client, 1)).rejects.toThrow('a newer version of Lectern')
  await client.end()
  const tables = async () => (await database.pool.query(`select to_regclass('backup_runs') as found`)).rows
  expect(await tables()).toEqual([{ found: null }])
  await migrateDatabase(database)
  expect(await tables()).toEqual([{ found: 'backup_runs' }])
})

test('a migration waits for a query of another process, and lets others query meanwhile', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using database = openDatabase(empty.url)
  const [first] = readMigrationFiles({ migrationsFolder: join(import.meta.dirname, 'migrations') })
  await using other = openDatabase(empty.url)
  const client = await other.pool.connect()
  await migrateTo(client, first!.folderMillis)
  await client.query('begin')
  await client.query('select from checkouts')
  const onWait = vi.fn<(reason: string) => void>()
  const migrated = migrateDatabase(database, { onWait })
  await expect.poll(() => onWait.mock.calls, { timeout: 5_000 }).toEqual([[expect.stringMatching('queries')]])
  await other.pool.query('select from checkouts')
  await client.query('commit')
  client.release()
  await migrated
})
