// One writer of backups at a time in all processes of a shop.
import type { Client } from 'pg'
import { z } from 'zod'
import { WritableClient } from '#platform/db/writable-client.ts'

/** Of PostgreSQL's advisory locks; freed with the connection of the process that has it. */
const lockKey = 0x6c656362

export type BackupLock = AsyncDisposable & {
  /** Throws an Error where it was lost with its connection, so that another run may have begun. */
  check: () => Promise<void>
}

/** Undefined where another one has it. */
export async function tryBackupLock(url: string): Promise<BackupLock | undefined> {
  const client = await connect(url)
  const { rows } = await client.query('select pg_try_advisory_lock($1) as is_taken', [lockKey])
  const [{ is_taken }] = z.tuple([z.object({ is_taken: z.boolean() })]).parse(rows)
  if (is_taken) return untilEnd(client)
  await client.end()
  return undefined
}

export async function waitForBackupLock(url: string): Promise<BackupLock> {
  const client = await connect(url)
  await client.query('select pg_advisory_lock($1)', [lockKey])
  return untilEnd(client)
}

const untilEnd = (client: Client): BackupLock => ({
  async check() {
    await client.query('select').catch((cause: unknown) => {
      throw new Error('The connection to the database was lost, so another backup may have begun.', { cause })
    })
  },
  [Symbol.asyncDispose]: () => client.end(),
})

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
