// One writer of backups at a time in all processes of a shop.
import type { Client } from 'pg'
import { z } from 'zod'
import { WritableClient } from '#platform/db/writable-client.ts'

/** Of PostgreSQL's advisory locks; freed with the connection of the process that has it. */
const lockKey = 0x6c656362

/** Undefined where another one has it. */
export async function tryBackupLock(url: string): Promise<AsyncDisposable | undefined> {
  const client = await connect(url)
  const { rows } = await client.query('select pg_try_advisory_lock($1) as is_taken', [lockKey])
  const [{ is_taken }] = z.tuple([z.object({ is_taken: z.boolean() })]).parse(rows)
  if (is_taken) return untilEnd(client)
  await client.end()
  return undefined
}

export async function waitForBackupLock(url: string): Promise<AsyncDisposable> {
  const client = await connect(url)
  await client.query('select pg_advisory_lock($1)', [lockKey])
  return untilEnd(client)
}

const untilEnd = (client: Client) => ({ [Symbol.asyncDispose]: () => client.end() })

async function connect(url: string): Promise<Client> {
  const client = new WritableClient({
    connectionString: url,
    application_name: 'lectern backup lock',
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function isBackupLocked(pool: Pick<Client, 'query'>): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and granted
      and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  )
  return rowCount === 1
}
