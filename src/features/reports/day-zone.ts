// The time zone that the days of the sums begin in.
import { ne, sql } from 'drizzle-orm'
import { openDatabase, type Database, type Transaction } from '#platform/db/client.ts'
import { retryWhileLocked, tableWait, type LockRetries } from '#platform/db/retry-while-locked.ts'
import { sums_settings } from './schema.ts'

/**
 * Where it is another one, all sums are computed again: purchases wait for that, seconds where there are millions. Fails
 * where other queries keep the tables for longer than `tableWait`.
 */
export async function setDayZone(tx: Transaction, time_zone: string): Promise<void> {
  await tx.execute(sql.raw(`set local lock_timeout = '${tableWait}'`))
  const changed = await tx
    .update(sums_settings)
    .set({ time_zone })
    .where(ne(sums_settings.time_zone, time_zone))
    .returning()
  if (changed.length > 0) await tx.execute(sql`select sums_rebuild()`)
}

/** At the start: the environment may name another one than before. Without the limits of time that queries have. */
export async function alignDayZone(
  { db, url }: Pick<Database, 'db' | 'url'>,
  time_zone: string,
  waiting: LockRetries = {},
): Promise<void> {
  const [found] = await db.select().from(sums_settings)
  if (found?.time_zone === time_zone) return
  await using unlimited = openDatabase(url, { max: 1, statementMs: 0 })
  await retryWhileLocked(() => unlimited.db.transaction((tx) => setDayZone(tx, time_zone)), waiting)
}
