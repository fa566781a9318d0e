// Compares the clock of the machine with the database’s, and notices when it jumps.
import { uptime } from 'node:os'
import { z } from 'zod'
import { queryRow, type PgClient } from './db/query.ts'

/** NTP moves a clock at once by less. */
const maxMs = 5 * 60_000

type Dependencies = {
  clock: () => Date
  database: { pool: PgClient }
}

export async function databaseAhead({ pool }: Dependencies['database'], clock: () => Date): Promise<number> {
  const query = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms'
  return (await queryRow(pool, z.object({ ms: z.number() }), query)).ms - clock().getTime()
}

/** Milliseconds; 0 below five minutes. `passed` must go on while the machine sleeps, as performance.now() on Linux does not. */
export function watchClock(
  { clock, database: { pool } }: Dependencies,
  passed = () => uptime() * 1000,
): () => Promise<number> {
  const read = () => clock().getTime() - passed()
  let last = read()
  return async () => {
    const now = read()
    const jump = now - last
    last = now
    const difference = -(await databaseAhead({ pool }, clock))
    return [jump, difference].find((each) => Math.abs(each) > maxMs) ?? 0
  }
}
