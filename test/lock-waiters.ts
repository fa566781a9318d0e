// Races are tested with connections that wait for each other: as soon as they do, not after a while.
import { expect } from 'vitest'
import type { Database } from '#platform/db/client.ts'

/** Resolves once so many connections to this database wait for a lock. */
export async function untilWaiting({ pool }: Pick<Database, 'pool'>, count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]!.count
  }
  await expect.poll(waiting).toBe(count)
}
