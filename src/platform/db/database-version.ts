// Which version a database is of, compared with what this version of the shop needs.
import type { Pool } from 'pg'
import { z } from 'zod'
import { newestMigration, OLDEST_VERSION } from './migrate.ts'

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
