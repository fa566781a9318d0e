// The lock that lets one backup, rehearsal or restore run at a time, in all processes of a shop.
import { openClient } from '#platform/db/client.ts'
import type { Client } from 'pg'
import { z } from 'zod'
import { queryRow } from '#platform/db/query.ts'

/** A key of PostgreSQL's advisory locks, which end with their connection. */
const lockKey = 0x6c656362
const lockName = 'lectern backup lock'

export type BackupLock = ReturnType<typeof untilEnd>

/** Undefined while another process has it. */
export async function tryBackupLock(url: string): Promise<BackupLock | undefined> {
  const client = await openClient(url, lockName)
  const taken = z.object({ is_taken: z.boolean() })
  const { is_taken } = await queryRow(client, taken, 'select pg_try_advisory_lock($1) as is_taken', [lockKey])
  if (is_taken) return untilEnd(client)
  await client.end()
  return undefined
}

export async function waitForBackupLock(url: string): Promise<BackupLock> {
  const client = await openClient(url, lockName)
  await client.query('select pg_advisory_lock($1)', [lockKey])
  return untilEnd(client)
}

const untilEnd = (client: Client) => ({
  /** Throws where the connection was lost, so that another run may have begun. */
  check: async (): Promise<void> => {
    await client.query('select').catch((cause: unknown) => {
      throw new Error('The connection to the database was lost, so another backup may have begun.', { cause })
    })
  },
  [Symbol.asyncDispose]: () => client.end(),
})

export async function isBackupLocked(pool: Pick<Client, 'query'>): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and granted
      and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  )
  return rowCount === 1
}
