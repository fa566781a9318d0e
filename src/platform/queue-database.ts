// How pg-boss reaches the database: through clients that find the host that accepts writes, which its own pool cannot.
import type { Db } from 'pg-boss'
import { Pool } from 'pg'
import { listen } from './db/listen.ts'
import { sessionSettings, WritableClient } from './db/writable-client.ts'
import type { Log } from './log.ts'

/** pg-boss deletes old jobs in one statement. */
const queryMs = 60_000

type QueueDatabase = Required<Pick<Db, 'executeSql' | 'listen'>> & {
  /** Safe to call more than once. */
  close(): Promise<void>
}

const application_name = 'lectern jobs'

export function openQueueDatabase(url: string, log: Log): QueueDatabase {
  const pool = new Pool({
    connectionString: url,
    Client: WritableClient,
    max: 3,
    application_name,
    connectionTimeoutMillis: 10_000,
    query_timeout: queryMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: (client) => client.query(sessionSettings),
  })
  // An event that nobody listens for would end the process; the next query gets the error.
  pool.on('error', (error) => log.debug({ err: error }, 'the job queue lost a connection'))
  let closed: Promise<void> | undefined
  return {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      const handlers = { onMessage: onNotification, onConnect: onReconnect }
      return listen({ url, channels: [channel], application_name }, handlers, log)
    },
    close: () => (closed ??= pool.end()),
  }
}
