// Migrating a database: by several processes at once, and when there is nothing to do.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase } from './client.ts'
import { migrateDatabase } from './migrate.ts'

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
