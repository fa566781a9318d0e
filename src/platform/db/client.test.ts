import { sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { money } from '#tables/columns.ts'
import { isUnavailable, openDatabase, type Database } from './client.ts'

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
