// Refuses a pooler that gives each transaction another connection: it loses LISTEN, locks and settings without an error.
import type { WritableClient } from './client.ts'
import { openClient } from './client.ts'
import { z } from 'zod'
import { queryRow } from './query.ts'

/** Other shops use the pooler, too, so one round may find nothing. */
const rounds = 5
const checkTimeouts = { connectionTimeoutMillis: 5_000, query_timeout: 20_000 }

export async function requireSessions(url: string): Promise<void> {
  await using one = await openClient(url, 'lectern start', checkTimeouts)
  await using other = await openClient(url, 'lectern start', checkTimeouts)
  for (let round = 0; round < rounds; round++) {
    const before = await processOf(one)
    // A pooler takes the connection that was used last, and cannot give it away within a transaction.
    await other.query('begin')
    if ((await processOf(other)) === before || (await processOf(one)) !== before) throw new Error(refusal)
    await other.query('rollback')
  }
}

const refusal =
  'DATABASE_URL leads to a pooler that gives each transaction another connection, as PgBouncer does with ' +
  'pool_mode=transaction. Lectern needs LISTEN, which does not work there: set pool_mode=session, or let ' +
  'DATABASE_URL lead to PostgreSQL itself.'

async function processOf(client: WritableClient): Promise<number> {
  return (await queryRow(client, z.object({ pid: z.number() }), 'select pg_backend_pid() as pid')).pid
}
