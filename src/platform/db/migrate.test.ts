// Rules of bringing a database up to date: by several at once, and with years of sales in it.
import { readdirSync } from 'node:fs'
import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { readSums } from '#test/sales-sums.ts'
import { openQueue } from '../queue.ts'
import { accountMailJob } from '#features/accounts/account-mail.ts'
import { createLog } from '../log.ts'
import { openDatabase, type Database } from './client.ts'
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

/** The tables as they were before there was a list of what is to be shipped. */
async function migrateTo({ pool }: Database, last: string): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-migrations-'))
  await cp(join(import.meta.dirname, 'migrations'), folder.path, { recursive: true })
  const path = join(folder.path, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { tag: string }[] }
  const entries = journal.entries.slice(0, journal.entries.findIndex(({ tag }) => tag === last) + 1)
  await writeFile(path, JSON.stringify({ ...journal, entries }))
  await migrate(drizzle(pool), { migrationsFolder: folder.path })
}

/** One purchase for each line, on a day of its own; its id ends in the line's number. */
const sales = [
  { format: 'digital', status: 'completed' },
  { format: 'paperback', status: 'completed' },
  { format: 'hardcover', status: 'partially_refunded', back: 4, address: true },
  { format: 'paperback', status: 'refunded', back: 10, address: true },
  { format: 'bundle', status: 'disputed', address: true },
  { format: 'paperback', status: 'pending' },
  { format: 'hardcover', status: 'canceled' },
  { format: 'paperback', status: 'completed', address: true, shipped: true },
]
const uuid = (kind: number, nth: number) => `${kind}0000000-0000-7000-8000-00000000000${nth}`

async function sell({ pool }: Database): Promise<void> {
  await pool.query(`insert into profiles (user_id, email) values ('${uuid(1, 0)}', 'anna@books.example')`)
  const formats = ['digital', 'paperback', 'hardcover', 'bundle']
  for (const [nth, format] of formats.entries())
    await pool.query(
      'insert into products (id, name, price, format, is_digital) values ($1, $2, 10, $2, $3)',
      [uuid(2, nth), format, format === 'digital'],
    )
  // The order in the table is not that of time.
  for (const [nth, { format, status, back, address, shipped }] of [...sales.entries()].toReversed()) {
    const id = uuid(3, nth)
    await pool.query(
      `insert into purchases (id, user_id, product_id, amount, status, created_at)
        values ($1, $2, $3, 10, $4, now() - $5 * interval '1 day')`,
      [id, uuid(1, 0), uuid(2, formats.indexOf(format)), status, sales.length - nth],
    )
    if (back)
      await pool.query(
        `insert into adjustments (id, purchase_id, kind, amount) values ($1, $2, 'refund', $3)`,
        [uuid(4, nth), id, -back],
      )
    if (address)
      await pool.query(
        `insert into shipments (purchase_id, name, line1, city, country, shipped_at)
          values ($1, 'Anna', '1 Main Street', 'Springfield', 'US', $2)`,
        [id, shipped ? new Date() : null],
      )
  }
  await pool.query(`insert into mails (id, kind, recipient, subject, status, attempts)
    select gen_random_uuid(), 'receipt', 'anna@books.example', '', 'failed', n from unnest('{3, 25}'::int[]) n`)
}

test('a shop with sales of every kind is brought up to date, and every paid book on paper waits to be shipped', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using database = openDatabase(empty.url)
  const { pool } = database
  await migrateTo(database, '0006_sums_in_order')
  await sell(database)
  await migrateDatabase(database)

  const { rows } = await pool.query(`
    select right(purchase_id::text, 1)::int as nth, s.format, is_paid, name is not null as has_address,
      s.created_at = p.created_at as is_in_order
    from shipments s join purchases p on p.id = purchase_id where shipped_at is null order by purchase_id`)
  expect(rows).toEqual([
    { nth: 1, format: 'paperback', is_paid: true, has_address: false, is_in_order: true },
    { nth: 2, format: 'hardcover', is_paid: true, has_address: true, is_in_order: true },
    { nth: 3, format: 'paperback', is_paid: false, has_address: true, is_in_order: true },
    { nth: 4, format: 'bundle', is_paid: false, has_address: true, is_in_order: true },
  ])
  const given = await pool.query('select attempts from mails where given_up_at is not null')
  expect(given.rows).toEqual([{ attempts: 25 }])
  const { kept, counted, wrongUsers } = await readSums(database)
  expect([kept, wrongUsers]).toEqual([counted, []])

  const numbered = await pool.query<{ number: number }>('select number from purchases order by created_at')
  expect(numbered.rows.map(({ number }) => number)).toEqual(sales.map((_, nth) => 1001 + nth))
  await pool.query(
    `insert into purchases (id, user_id, product_id, amount, status) values ($1, $2, $3, 10, 'pending')`,
    [uuid(3, 8), uuid(1, 0), uuid(2, 0)],
  )
  const next = await pool.query('select number from purchases where id = $1', [uuid(3, 8)])
  expect(next.rows).toEqual([{ number: 1009 }])

  // From now on the trigger keeps the list: a dispute that was won, a payment that came late.
  await pool.query(`update purchases set status = 'completed' where id = any($1)`, [[uuid(3, 4), uuid(3, 5)]])
  const due = await pool.query(
    'select format from shipments where is_paid and shipped_at is null order by purchase_id',
  )
  expect(due.rows.map(({ format }) => format)).toEqual(['paperback', 'hardcover', 'bundle', 'paperback'])
})

test('sign-ups under way outlast the upgrade, and no stored job holds a password’s hash any more', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using database = openDatabase(empty.url)
  const { pool } = database
  await migrateTo(database, '0015_recent_proofs')
  const queue = openQueue(empty.url, createLog('silent'))
  await queue.start([accountMailJob as never])
  await queue.stop()
  const states = ['created', 'retry', 'active', 'completed', 'failed']
  for (const [nth, state] of states.entries()) {
    const chosen = { password_hash: `$argon2id$${nth}`, user_metadata: { display_name: 'Anna' } }
    const data = { kind: 'sign_up', id: uuid(1, nth), email: 'anna@books.example', ...chosen }
    await pool.query(`insert into pgboss.job (name, state, data) values ('mail.account', $1, $2)`, [
      state,
      data,
    ])
  }
  await pool.query(
    `insert into pgboss.job (name, data) values ('mail.account', '{"kind": "recovery", "email": "anna@books.example"}')`,
  )
  await migrateDatabase(database)

  const pending = await pool.query(
    'select id, password_hash, user_metadata from auth.pending_sign_ups order by id',
  )
  expect(pending.rows).toEqual(
    [0, 1, 2].map((nth) => ({
      id: uuid(1, nth),
      password_hash: `$argon2id$${nth}`,
      user_metadata: { display_name: 'Anna' },
    })),
  )
  const jobs = await pool.query<{ data: object }>('select data from pgboss.job')
  expect(jobs.rows).toHaveLength(states.length + 1)
  for (const { data } of jobs.rows) expect(accountMailJob.payload.parse(data)).toEqual(data)
  expect(JSON.stringify(jobs.rows)).not.toMatch(/argon2id|Anna/)
})
