// Brings the database to the tables this code knows, before anything else touches it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, type Pool } from 'pg'
import type { Database } from './client.ts'

const OLDEST_VERSION = 15
const ADVISORY_LOCK = 0x6c656374
const migrationsFolder = join(import.meta.dirname, 'migrations')

/**
 * Safe to call from several processes at once: one migrates, the others wait and find it done. Days of sales begin at
 * midnight in `timeZone` (IANA name); when it has changed, all sums are made anew, seconds for millions of purchases.
 */
export async function migrateDatabase({ url, pool }: Pick<Database, 'url' | 'pool'>, timeZone = 'UTC') {
  if (await isAsWanted(pool, timeZone)) return
  // A connection of its own: the pool's have time limits, and the lock lasts as long as its connection.
  const client = new Client({ connectionString: url })
  // When it is lost, whoever waits for an answer is told.
  client.on('error', () => {})
  await client.connect()
  try {
    await requireVersion(client)
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    await migrate(drizzle(client), { migrationsFolder })
    await keepTimeZone(client, timeZone)
  } finally {
    await client.end()
  }
}

/** Nearly every start finds it so, and need not read all migrations to know. */
async function isAsWanted(pool: Pool, timeZone: string): Promise<boolean> {
  const journal = readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  const newest = (JSON.parse(journal) as { entries: { when: number }[] }).entries.at(-1)!.when
  const found = pool.query(
    `select from sums_settings where time_zone = $1
      and (select max(created_at) from drizzle.__drizzle_migrations) >= $2`,
    [timeZone, newest],
  )
  return found.then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  )
}

async function keepTimeZone(client: Client, timeZone: string) {
  const { rowCount } = await client.query('select from sums_settings where time_zone = $1', [timeZone])
  if (rowCount) return
  await client.query('begin')
  await client.query('update sums_settings set time_zone = $1', [timeZone])
  await client.query('select sums_rebuild()')
  await client.query('commit')
}

async function requireVersion(client: Client) {
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as version")
  const { version } = rows[0]
  if (version < OLDEST_VERSION) {
    throw new Error(
      `Lectern needs PostgreSQL ${OLDEST_VERSION} or newer; DATABASE_URL leads to version ${version}.`,
    )
  }
}
