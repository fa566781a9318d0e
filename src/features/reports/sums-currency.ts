// The currency of the sums, and so of the shop: one, as long as anything was sold in it.
import { and, eq, gt, ne, not, sql } from 'drizzle-orm'
import type { Currency } from '#platform/contract/currencies.ts'
import { openDatabase, type Database, type Db, type Transaction } from '#platform/db/client.ts'
import { retryWhileLocked, tableWait, type LockRetries } from '#platform/db/retry-while-locked.ts'
import { user_roles } from '../accounts/schema.ts'
import { checkouts } from '../payments/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { sums_settings } from './schema.ts'

/** An admin who buys while no money is taken, as the first steps advise. */
const isTrial = sql`(not exists (select from ${checkouts} c where c.purchase_id = ${purchases.id})
  and exists (select from ${user_roles} r where r.user_id = ${purchases.user_id} and r.role = 'admin'))`

/** Test orders, free copies and what was never paid bind the shop to no currency. */
const isSale = and(
  not(purchases.is_test),
  gt(purchases.amount, 0),
  ne(purchases.status, 'canceled'),
  not(isTrial),
)

/** Whether a change to another currency would be refused. */
export async function isCurrencyFixed(db: Db, currency: Currency): Promise<boolean> {
  const [sale] = await db
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(isSale, eq(purchases.currency, currency)))
    .limit(1)
  return sale !== undefined
}

/** What sales are in, where that is another currency than `currency`. */
async function findOtherCurrency(tx: Transaction, currency: Currency): Promise<string | undefined> {
  const [sale] = await tx
    .select({ currency: purchases.currency })
    .from(purchases)
    .where(and(isSale, ne(purchases.currency, currency)))
    .limit(1)
  return sale?.currency
}

/**
 * False where something was sold in another one: nothing is changed then. Otherwise all sums are computed again, without
 * the orders that are in another one. A purchase at the same moment comes before or after it as a whole. Fails where other
 * queries keep the tables for longer than `tableWait`.
 */
export async function setCurrency(tx: Transaction, currency: Currency): Promise<boolean> {
  await tx.execute(sql.raw(`set local lock_timeout = '${tableWait}'`))
  await tx.execute(sql`lock table purchases in share row exclusive mode`)
  if (await findOtherCurrency(tx, currency)) return false
  const changed = await tx
    .update(sums_settings)
    .set({ currency })
    .where(ne(sums_settings.currency, currency))
    .returning()
  if (changed.length > 0) await tx.execute(sql`select sums_rebuild()`)
  return true
}

/** At the start: the environment may name another one than before. Without the limits of time that queries have. Throws an Error where sales are in another one. */
export async function alignCurrency(
  { db, url }: Pick<Database, 'db' | 'url'>,
  currency: Currency,
  waiting: LockRetries = {},
): Promise<void> {
  const [found] = await db.select().from(sums_settings)
  if (found?.currency === currency) return
  await using unlimited = openDatabase(url, { max: 1, statementMs: 0 })
  await retryWhileLocked(
    () =>
      unlimited.db.transaction(async (tx) => {
        if (await setCurrency(tx, currency)) return
        const sold = (await findOtherCurrency(tx, currency))?.toUpperCase()
        throw new Error(
          `The currency is ${currency.toUpperCase()}, but this shop has sold in ${sold}, and a shop has one currency: start it with CURRENCY=${sold}.`,
        )
      }),
    waiting,
  )
}
