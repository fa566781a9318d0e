// The job queue's tables without a queue, for jobs that come from another database.
import type { Client } from 'pg'

/** For a database that does not have them. */
export async function createQueueTables(client: Client): Promise<void> {
  const { getConstructionPlans } = await import('pg-boss')
  await client.query(getConstructionPlans())
}
