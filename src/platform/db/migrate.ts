// Migrates the database to the schema of this version, and compares versions of schemas.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Client } from 'pg'
import { z } from 'zod'
import about from '../../../package.json' with { type: 'json' }
import { ownFile } from '../own-file.ts'
import { errorCode } from '../errors.ts'
import { type Database, isLocked, openClient } from './client.ts'
import { anyRelease, isOlderRelease, raiseOldestRelease } from './oldest-release.ts'
import { queryRow, type PgClient } from './query.ts'
import { setTimeout } from 'node:timers/promises'

const OLDEST_VERSION = 15
const INSUFFICIENT_PRIVILEGE = '42501'
export const missingRights =
  'The user of DATABASE_URL may not create schemas and tables there: make it the owner of the database ("alter database … owner to …").'
const ADVISORY_LOCK = 0x6c656374
const journalPath = ownFile('#platform/db/migrations/meta/_journal.json')
/** The first migration is the schema of 0.3.0, the first version that was published. */
export const shippedMigrations = join(journalPath, '../..')
const journalFile = z.looseObject({ entries: z.array(z.looseObject({ when: z.number(), tag: z.string() })) })

export type MigrationOptions = {
  /** Runs before the commit. */
  check?: (client: Client) => Promise<void>
  onWait?: (reason: string) => void
  /** A folder of drizzle's. */
  migrations?: string
}

/** One of several processes migrates; the others wait and find it done. */
export async function migrateDatabase(
  { url, pool }: Pick<Database, 'url' | 'pool'>,
  { check, onWait, migrations = shippedMigrations }: MigrationOptions = {},
): Promise<void> {
  const before = await compareSchema(pool, migrations).catch(() => 'none')
  if (before === 'same' || before === 'newer') return
  await using client = await openClient(url)
  const { version, isTooOld } = await readServerVersion(client)
  if (isTooOld)
    throw new Error(
      `Lectern needs PostgreSQL ${OLDEST_VERSION} or newer; DATABASE_URL leads to version ${version}.`,
    )
  await takeLock(client, onWait)
  // A newer shop may have changed what this one would write.
  const schema = await compareSchema(client, migrations)
  if (schema === 'newer') return
  if (schema === 'too_new')
    throw new Error(
      'These data were written by a newer version of Lectern: start that one, or restore a backup of this one.',
    )
  if (schema === 'too_old') throw new Error(tooOld)
  await client.query(`set lock_timeout = '${tableWait}'`)
  const run = () => runMigrations(client, migrations, newestMigration(migrations), check)
  await retryWhileLocked(run, { onWait }).catch((cause: unknown) => {
    throw errorCode(cause) === INSUFFICIENT_PRIVILEGE ? new Error(missingRights, { cause }) : cause
  })
}

/** An empty database, to the schema of other data: of a backup, or of another cluster. */
export async function migrateTo(client: Client, version: number): Promise<void> {
  if (isBeforeBaseline(version)) throw new Error(tooOld)
  if (!listVersions(shippedMigrations).includes(version))
    throw new Error('These data are of a newer version of Lectern: use that one, or a newer one.')
  await runMigrations(client, shippedMigrations, version)
}

/** The refusal of such a database, backup and older cluster. */
export const tooOld =
  'These data are of Lectern before 0.3.0, the first version that was published: this one neither opens nor restores them'

/** No migration leads on from the schema of that version. */
export function isBeforeBaseline(version: number, migrations = shippedMigrations): boolean {
  return version < Math.min(...listVersions(migrations))
}

async function takeLock(client: Client, onWait: MigrationOptions['onWait']): Promise<void> {
  const taken = z.object({ is_taken: z.boolean() })
  const query = 'select pg_try_advisory_lock($1) as is_taken'
  if ((await queryRow(client, taken, query, [ADVISORY_LOCK])).is_taken) return
  onWait?.('Waiting for another process that migrates the database')
  await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
}

/** Drizzle's own function has no place for a check before the commit. */
async function runMigrations(
  client: Client,
  migrationsFolder: string,
  version: number,
  check?: MigrationOptions['check'],
): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint, oldest_release text)',
  )
  let oldest = anyRelease
  const newest = (await readSchemaVersion(client)) ?? 0
  await client.query('begin')
  try {
    for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder })) {
      oldest = raiseOldestRelease(oldest, sql)
      if (folderMillis <= newest || folderMillis > version) continue
      for (const statement of sql) await client.query(statement)
      const values = [hash, folderMillis, oldest]
      await client.query(
        'insert into drizzle.__drizzle_migrations (hash, created_at, oldest_release) values ($1, $2, $3)',
        values,
      )
    }
    await check?.(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Milliseconds since 1970. */
function listVersions(migrations: string): number[] {
  const journal = readFileSync(join(migrations, 'meta/_journal.json'), 'utf8')
  return journalFile.parse(JSON.parse(journal)).entries.map(({ when }) => when)
}

/** Milliseconds since 1970. */
export function newestMigration(migrations = shippedMigrations): number {
  return Math.max(...listVersions(migrations))
}

export async function readSchemaVersion(client: PgClient): Promise<number | undefined> {
  const table = z.object({ is_made: z.boolean() })
  const query = `select to_regclass('drizzle.__drizzle_migrations') is not null as is_made`
  if (!(await queryRow(client, table, query)).is_made) return undefined
  const newest = 'select max(created_at)::float8 as version from drizzle.__drizzle_migrations'
  return (await queryRow(client, z.object({ version: z.number().nullable() }), newest)).version ?? undefined
}

/** Undefined where no release but those that have the newest migration may start on the data. */
export async function readOldestRelease(client: PgClient): Promise<string | undefined> {
  const query = 'select oldest_release from drizzle.__drizzle_migrations order by created_at desc limit 1'
  return (
    (await queryRow(client, z.object({ oldest_release: z.string().nullable() }), query)).oldest_release ??
    undefined
  )
}

/** `too_old`: as isBeforeBaseline says. `newer`: this version may run on it as it is. */
export async function compareSchema(
  client: PgClient,
  migrations = shippedMigrations,
): Promise<'none' | 'too_old' | 'older' | 'same' | 'newer' | 'too_new'> {
  const version = await readSchemaVersion(client)
  if (version === undefined) return 'none'
  const newest = newestMigration(migrations)
  if (version === newest) return 'same'
  if (version > newest) {
    const oldest = await readOldestRelease(client)
    return oldest === undefined || isOlderRelease(about.version, oldest) ? 'too_new' : 'newer'
  }
  return isBeforeBaseline(version, migrations) ? 'too_old' : 'older'
}

const serverVersion = z.object({ version: z.string(), number: z.number() })

export async function readServerVersion(
  client: PgClient,
): Promise<{ version: string; major: number; isTooOld: boolean }> {
  const query = `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as number`
  const { version, number } = await queryRow(client, serverVersion, query)
  return { version, major: number, isTooOld: number < OLDEST_VERSION }
}

export async function mayCreateTables(client: PgClient): Promise<boolean> {
  const query = `select has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as is_enough`
  return (await queryRow(client, z.object({ is_enough: z.boolean() }), query)).is_enough
}

/** Later queries of a table wait behind a change that waits for it. */
export const tableWait = '2s'

const retryMs = 1_000

export type LockRetries = {
  onWait?: ((reason: string) => void) | undefined
  retries?: number | undefined
}

export async function retryWhileLocked(
  run: () => Promise<void>,
  { onWait, retries = 100 }: LockRetries = {},
): Promise<void> {
  for (let retry = 0; ; retry += 1) {
    try {
      await run()
      return
    } catch (error) {
      if (!isLocked(error)) throw error
      if (retry === retries) throw new Error(tablesInUse, { cause: error })
      if (retry === 0)
        onWait?.('Waiting for queries of other processes on the tables that have to be changed')
      await setTimeout(retryMs)
    }
  }
}

const tablesInUse =
  'Other processes use the tables that have to be changed, and do not let go of them: end their queries (pg_stat_activity lists them), and start again.'
