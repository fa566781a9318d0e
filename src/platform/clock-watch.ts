// Whether the clock can be trusted to say what is old.
import { uptime } from 'node:os'
import { z } from 'zod'

/** More than a clock that is set by NTP is moved at once, or differs from another machine's. */
const maxMs = 5 * 60_000

type Needs = {
  clock: () => Date
  database: { pool: { query(text: string): Promise<{ rows: unknown[] }> } }
}

const databaseTime = z.tuple([z.object({ ms: z.number() })])

/** In milliseconds. */
export async function databaseAhead({ pool }: Needs['database'], clock: () => Date): Promise<number> {
  const { rows } = await pool.query('select extract(epoch from clock_timestamp())::float8 * 1000 as ms')
  return databaseTime.parse(rows)[0].ms - clock().getTime()
}

/**
 * A function that says how far the clock has been set since it was last called, or differs from the database's, in
 * milliseconds; 0 where it is less than five minutes. `passed` is a clock that nobody sets. It must go on while the machine
 * sleeps, which performance.now() does not on Linux.
 */
export function watchClock(
  { clock, database: { pool } }: Needs,
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
