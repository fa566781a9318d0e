// Migrates the database to this version's schema, before anything else uses it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, type Pool } from 'pg'
import { z } from 'zod'
import { ownFile } from '../own-file.ts'
import type { Database } from './client.ts'

export const OLDEST_VERSION = 15
const ADVISORY_LOCK = 0x6c656374
const journalPath = ownFile('#platform/db/migrations/meta/_journal.json')
const migrationsFolder = join(journalPath, '../..')
const journalFile = z.object({ entries: z.array(z.object({ when: z.number() })) })

/**
 * Safe to call from several processes at once: one migrates, the others wait and find it done. Days of sales begin at
 * midnight in `timeZone` (IANA name); when it has changed, all sums are computed again, which takes seconds for millions of purchases.
 */
export async function migrateDatabase({ url, pool }: Pick<Database, 'url' | 'pool'>, timeZone = 'UTC') {
  if (await isUpToDate(pool, timeZone)) return
  // A connection of its own: the pool's have time limits, and the lock lasts as long as its connection.
  const client = new Client({ connectionString: url })
  // Without a listener a lost connection would end the process; the query under way rejects.
  client.on('error', () => {})
  await client.connect()
  try {
    await requireVersion(client)
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    await migrate(drizzle(client), { migrationsFolder })
    await storeTimeZone(client, timeZone)
  } finally {
    await client.end()
  }
}

/** One query instead of reading all migrations: nearly every start has nothing to migrate. */
async function isUpToDate(pool: Pool, timeZone: string): Promise<boolean> {
  const found = pool.query(
    `select from sums_settings where time_zone = $1
      and (select max(created_at) from drizzle.__drizzle_migrations) >= $2`,
    [timeZone, newestMigration()],
  )
  return found.then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  )
}

/** When the newest migration of this version was made, in milliseconds: drizzle stores it with each that it has run. */
export function newestMigration(): number {
  const journal = readFileSync(journalPath, 'utf8')
  return Math.max(...journalFile.parse(JSON.parse(journal)).entries.map(({ when }) => when))
}

async function storeTimeZone(client: Client, timeZone: string) {
  const { rowCount } = await client.query('select from sums_settings where time_zone = $1', [timeZone])
  if (rowCount) return
  await client.query('begin')
  await client.query('update sums_settings set time_zone = $1', [timeZone])
  await client.query('select sums_rebuild()')
  await client.query('commit')
}

async function requireVersion(client: Client) {
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as version")
  const [{ version }] = z.tuple([z.object({ version: z.number() })]).parse(rows)
  if (version < OLDEST_VERSION) {
    throw new Error(
      `Lectern needs PostgreSQL ${OLDEST_VERSION} or newer; DATABASE_URL leads to version ${version}.`,
    )
  }
}
