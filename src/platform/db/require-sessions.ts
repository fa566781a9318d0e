// Refuses a DATABASE_URL that leads to a pooler which gives each transaction another connection: LISTEN, and locks and
// settings that last as long as a connection, would be lost without an error.
import { z } from 'zod'
import { WritableClient } from './writable-client.ts'

const processRows = z.tuple([z.object({ pid: z.number() })])
/** Other shops use the pooler, too, so that one round may find nothing. */
const rounds = 5

/** Throws when two connections share one process of PostgreSQL, or one connection does not keep its own. */
export async function requireSessions(url: string): Promise<void> {
  const [one, other] = [openClient(url), openClient(url)]
  try {
    await Promise.all([one.connect(), other.connect()])
    for (let round = 0; round < rounds; round++) {
      const before = await processOf(one)
      // A pooler takes the connection that was used last. Within a transaction it cannot give it to another.
      await other.query('begin')
      if ((await processOf(other)) === before || (await processOf(one)) !== before) throw new Error(refusal)
      await other.query('rollback')
    }
  } finally {
    await Promise.all([one.end(), other.end()])
  }
}

const refusal =
  'DATABASE_URL leads to a pooler that gives each transaction another connection, as PgBouncer does with ' +
  'pool_mode=transaction. Lectern needs LISTEN, which does not work there: set pool_mode=session, or let ' +
  'DATABASE_URL lead to PostgreSQL itself.'

function openClient(url: string): WritableClient {
  const client = new WritableClient({
    connectionString: url,
    application_name: 'lectern start',
    connectionTimeoutMillis: 5_000,
    query_timeout: 20_000,
  })
  // Without a listener a lost connection would end the process; the query under way rejects.
  client.on('error', () => {})
  return client
}

async function processOf(client: WritableClient): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return processRows.parse(rows)[0].pid
}
