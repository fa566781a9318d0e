// Test orders in the sums: counted while the shop takes test payments, and never again once it has taken money.
import { eq, sql } from 'drizzle-orm'
import { openDatabase, type Database, type Transaction } from '#platform/db/client.ts'
import { retryWhileLocked, tableWait } from '#platform/db/retry-while-locked.ts'
import { sums_settings } from './schema.ts'

/** Where they were counted, all sums are computed again: purchases wait for that. Fails like setDayZone. */
export async function stopCountingTests(tx: Transaction): Promise<void> {
  await tx.execute(sql.raw(`set local lock_timeout = '${tableWait}'`))
  const changed = await tx
    .update(sums_settings)
    .set({ counts_tests: false })
    .where(eq(sums_settings.counts_tests, true))
    .returning()
  if (changed.length === 0) return
  // Also those of a process of the version before, which ran beside this one and marked none.
  await tx.execute(sql`lock table purchases, adjustments, profiles in share row exclusive mode`)
  await tx.execute(sql`update purchases set is_test = true from checkouts
    where checkouts.purchase_id = purchases.id and not checkouts.is_live and not purchases.is_test`)
  await tx.execute(sql`select sums_rebuild()`)
}

/** At the start: the environment may have a live key for the first time. */
export async function leaveOutTests({ db, url }: Pick<Database, 'db' | 'url'>): Promise<void> {
  const [found] = await db.select().from(sums_settings)
  if (!found?.counts_tests) return
  await using unlimited = openDatabase(url, { max: 1, statementMs: 0 })
  await retryWhileLocked(() => unlimited.db.transaction(stopCountingTests))
}
