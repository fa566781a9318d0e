// Migrates the database to this version's schema, before anything else uses it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Client, Pool } from 'pg'
import { z } from 'zod'
import { ownFile } from '../own-file.ts'
import { errorCode } from '../errors.ts'
import type { Database } from './client.ts'
import { retryWhileLocked, tableWait } from './retry-while-locked.ts'
import { WritableClient } from './writable-client.ts'

const OLDEST_VERSION = 15
const INSUFFICIENT_PRIVILEGE = '42501'
/** What the user of DATABASE_URL needs, in words. */
export const missingRights =
  'The user of DATABASE_URL may not create schemas and tables there: make it the owner of the database ("alter database … owner to …").'
const ADVISORY_LOCK = 0x6c656374
const journalPath = ownFile('#platform/db/migrations/meta/_journal.json')
const migrationsFolder = join(journalPath, '../..')
const journalFile = z.looseObject({ entries: z.array(z.looseObject({ when: z.number(), tag: z.string() })) })

type Hooks = {
  /** Called once the migrations have run, in their transaction: when it throws, nothing has changed. */
  check?: (client: Client) => Promise<void>
  onWait?: (reason: string) => void
}

/**
 * Safe to call from several processes at once: one migrates, the others wait and find it done.
 */
export async function migrateDatabase(
  { url, pool }: Pick<Database, 'url' | 'pool'>,
  { check, onWait }: Hooks = {},
): Promise<void> {
  if (await isUpToDate(pool)) return
  // A connection of its own: the pool's have time limits, and the lock lasts as long as its connection.
  const client = new WritableClient({ connectionString: url })
  // Without a listener a lost connection would end the process; the query under way rejects.
  client.on('error', () => {})
  await client.connect()
  try {
    await requireVersion(client)
    await takeLock(client, onWait)
    await requireKnownData(client)
    await runWithoutBlocking(client, () => runMigrations(client, newestMigration(), check), onWait).catch(
      (cause: unknown) => {
        throw errorCode(cause) === INSUFFICIENT_PRIVILEGE ? new Error(missingRights, { cause }) : cause
      },
    )
  } finally {
    await client.end()
  }
}

/**
 * Gives an empty database the schema that it had at `version`, which is when its newest migration was made. Throws an
 * Error in plain words where this shop does not know the version.
 */
export async function migrateTo(client: Client, version: number): Promise<void> {
  if (!readJournal().entries.some(({ when }) => when === version))
    throw new Error('These data are of a newer version of Lectern: use that one, or a newer one.')
  await runMigrations(client, version)
}

async function takeLock(client: Client, onWait: Hooks['onWait']): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as is_taken', [ADVISORY_LOCK])
  if (z.tuple([z.object({ is_taken: z.boolean() })]).parse(rows)[0].is_taken) return
  onWait?.('Waiting for another process that migrates the database')
  await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
}

async function runWithoutBlocking(
  client: Client,
  run: () => Promise<void>,
  onWait: Hooks['onWait'],
): Promise<void> {
  await client.query(`set lock_timeout = '${tableWait}'`)
  await retryWhileLocked(run, { onWait })
  await client.query('reset lock_timeout')
}

/** As drizzle's own function, which has no place for a check before the commit. */
async function runMigrations(client: Client, version: number, check?: Hooks['check']): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  const { rows } = await client.query(
    'select coalesce(max(created_at), 0)::float8 as newest from drizzle.__drizzle_migrations',
  )
  const [{ newest }] = z.tuple([z.object({ newest: z.number() })]).parse(rows)
  await client.query('begin')
  try {
    for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder })) {
      if (folderMillis <= newest || folderMillis > version) continue
      for (const statement of sql) await client.query(statement)
      await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
        hash,
        folderMillis,
      ])
    }
    await check?.(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
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
async function isUpToDate(pool: Pool): Promise<boolean> {
  const found = pool.query('select where (select max(created_at) from drizzle.__drizzle_migrations) = $1', [
    newestMigration(),
  ])
  return found.then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  )
}

/** When the newest migration of this version was made, in milliseconds: drizzle stores it with each that it has run. */
export function newestMigration(): number {
  return Math.max(...readJournal().entries.map(({ when }) => when))
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

const serverVersion = z.tuple([z.object({ name: z.string(), number: z.number() })])
const schemaVersion = z.tuple([z.object({ has_schema: z.boolean() })])
const migratedAt = z.tuple([z.object({ when: z.number().nullable() })])

/** PostgreSQL's own version, as `18.4`. */
export async function readServerVersion(pool: Pool): Promise<{ version: string; isTooOld: boolean }> {
  const { rows } = await pool.query(
    `select current_setting('server_version') as name, current_setting('server_version_num')::int / 10000 as number`,
  )
  const [{ name, number }] = serverVersion.parse(rows)
  return { version: name, isTooOld: number < OLDEST_VERSION }
}

/** `none` where no shop has used the database yet. */
export async function compareSchema(pool: Pool): Promise<'none' | 'older' | 'same' | 'newer'> {
  const found = await pool.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as has_schema`,
  )
  const [{ has_schema }] = schemaVersion.parse(found.rows)
  if (!has_schema) return 'none'
  const { rows } = await pool.query('select max(created_at) as when from drizzle.__drizzle_migrations')
  const [{ when }] = migratedAt.parse(rows)
  if (when === null) return 'none'
  const newest = newestMigration()
  return when === newest ? 'same' : when < newest ? 'older' : 'newer'
}

const rights = z.tuple([z.object({ is_enough: z.boolean() })])

/** Whether the user of DATABASE_URL may make what a migration makes. */
export async function mayCreateTables(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`
    select has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create')
      as is_enough`)
  return rights.parse(rows)[0].is_enough
}
