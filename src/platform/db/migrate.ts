// Migrates the database to this version's schema, before anything else uses it.
import { readFileSync } from 'node:fs'
import { cp, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Client, Pool } from 'pg'
import { z } from 'zod'
import { ownFile } from '../own-file.ts'
import type { Database } from './client.ts'
import { WritableClient } from './writable-client.ts'

export const OLDEST_VERSION = 15
const ADVISORY_LOCK = 0x6c656374
const journalPath = ownFile('#platform/db/migrations/meta/_journal.json')
const migrationsFolder = join(journalPath, '../..')
const journalFile = z.looseObject({ entries: z.array(z.looseObject({ when: z.number(), tag: z.string() })) })

/**
 * Safe to call from several processes at once: one migrates, the others wait and find it done. Days of sales begin at
 * midnight in `timeZone` (IANA name); when it has changed, all sums are computed again, which takes seconds for millions of purchases.
 */
export async function migrateDatabase({ url, pool }: Pick<Database, 'url' | 'pool'>, timeZone = 'UTC') {
  if (await isUpToDate(pool, timeZone)) return
  // A connection of its own: the pool's have time limits, and the lock lasts as long as its connection.
  const client = new WritableClient({ connectionString: url })
  // Without a listener a lost connection would end the process; the query under way rejects.
  client.on('error', () => {})
  await client.connect()
  try {
    await requireVersion(client)
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    await requireKnownData(client)
    await migrate(drizzle(client), { migrationsFolder })
    await storeTimeZone(client, timeZone)
  } finally {
    await client.end()
  }
}

/**
 * Gives an empty database the schema that it had at `version`, which is when its newest migration was made. Throws an
 * Error in plain words where this shop does not know the version.
 */
export async function migrateTo(client: Client, version: number): Promise<void> {
  const journal = readJournal()
  const entries = journal.entries.filter(({ when }) => when <= version)
  if (entries.at(-1)?.when !== version)
    throw new Error('These data are of a newer version of Lectern: use that one, or a newer one.')
  await using aside = await mkdtempDisposable(join(tmpdir(), 'lectern-migrations-'))
  await cp(migrationsFolder, aside.path, { recursive: true })
  await writeFile(join(aside.path, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  await migrate(drizzle(client), { migrationsFolder: aside.path })
}

function readJournal() {
  return journalFile.parse(JSON.parse(readFileSync(journalPath, 'utf8')))
}

/** A newer shop may have changed what this one would write. */
async function requireKnownData(client: Client): Promise<void> {
  const { rows: made } = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as is_made`,
  )
  if (!z.tuple([z.object({ is_made: z.boolean() })]).parse(made)[0].is_made) return
  const { rowCount } = await client.query('select from drizzle.__drizzle_migrations where created_at > $1', [
    newestMigration(),
  ])
  if (rowCount) {
    throw new Error(
      'These data were written by a newer version of Lectern: start that one, or restore a backup of this one.',
    )
  }
}

/** One query instead of reading all migrations: nearly every start has nothing to migrate. */
async function isUpToDate(pool: Pool, timeZone: string): Promise<boolean> {
  const found = pool.query(
    `select from sums_settings where time_zone = $1
      and (select max(created_at) from drizzle.__drizzle_migrations) = $2`,
    [timeZone, newestMigration()],
  )
  return found.then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  )
}

/** When the newest migration of this version was made, in milliseconds: drizzle stores it with each that it has run. */
export function newestMigration(): number {
  return Math.max(...readJournal().entries.map(({ when }) => when))
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
