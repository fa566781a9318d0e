// The settings that the sums are computed with. A change computes all sums again, and purchases wait for that: seconds
// where there are millions. It fails where other queries lock the tables for longer than `tableWait`.
import { and, eq, gt, ne, not, sql, type SQL } from 'drizzle-orm'
import type { Currency } from '#contract/stripe.ts'
import { openDatabase, type Database, type Db, type Transaction } from '#platform/db/client.ts'
import { retryWhileLocked, tableWait, type LockRetries } from '#platform/db/migrate.ts'
import { forgetPrices } from '#domains/catalog/price-history.ts'
import { purchases } from '#tables/orders.ts'
import { sums_settings } from '#tables/settings.ts'

type Connection = Pick<Database, 'db' | 'url'>

/** False, and nothing changes, where this PostgreSQL does not know the zone. */
export async function setDayZone(tx: Transaction, time_zone: string): Promise<boolean> {
  const isNamed = sql`select from pg_timezone_names where lower(name) = lower(${time_zone})`
  if ((await tx.execute(isNamed)).rowCount === 0) return false
  await limitWait(tx)
  await updateSettings(tx, { time_zone }, ne(sums_settings.time_zone, time_zone))
  return true
}

export async function alignDayZone(database: Connection, time_zone: string, retries?: LockRetries) {
  const [before] = await database.db.select().from(sums_settings)
  if (before?.time_zone === time_zone) return
  const change = async (tx: Transaction) => {
    if (await setDayZone(tx, time_zone)) return
    throw new Error(`PostgreSQL does not know the time zone ${time_zone}: start the shop with TIME_ZONE=UTC.`)
  }
  await changeUnlimited(database, change, retries)
}

/**
 * The sums leave out orders in another currency. Returns false, and changes nothing, where something was sold in
 * another.
 */
export async function setCurrency(tx: Transaction, currency: Currency): Promise<boolean> {
  await limitWait(tx)
  // A purchase at the same moment comes before or after it as a whole.
  await tx.execute(sql`lock table purchases in share row exclusive mode`)
  if (await findOtherCurrency(tx, currency)) return false
  await updateSettings(tx, { currency }, ne(sums_settings.currency, currency))
  return true
}

/** The start calls it, as alignDayZone. Throws an Error where sales are in another currency. */
export async function alignCurrency(database: Connection, currency: Currency, retries?: LockRetries) {
  const [before] = await database.db.select().from(sums_settings)
  if (before?.currency === currency) return
  const change = async (tx: Transaction) => {
    if (await setCurrency(tx, currency)) return
    const sold = (await findOtherCurrency(tx, currency))?.toUpperCase()
    throw new Error(
      `The currency is ${currency.toUpperCase()}, but this shop has sold in ${sold}, and a shop has one currency: start it with CURRENCY=${sold}.`,
    )
  }
  await changeUnlimited(database, change, retries)
}

/** Test orders, free copies and what was never paid bind the shop to no currency. */
const isSale = and(not(purchases.is_test), gt(purchases.amount, 0n), ne(purchases.status, 'canceled'))

export async function isCurrencyFixed(db: Db, currency: Currency): Promise<boolean> {
  return (await findSaleCurrency(db, eq(purchases.currency, currency))) !== undefined
}

async function findOtherCurrency(tx: Transaction, currency: Currency) {
  return findSaleCurrency(tx, ne(purchases.currency, currency))
}

async function findSaleCurrency(db: Db | Transaction, isWanted: SQL) {
  const { currency } = purchases
  const [sale] = await db.select({ currency }).from(purchases).where(and(isSale, isWanted)).limit(1)
  return sale?.currency
}

/** Test orders count until the shop takes money, or an own book opens; never again. */
export async function stopCountingTests(tx: Transaction): Promise<void> {
  await limitWait(tx)
  await tx.execute(sql`lock table purchases, adjustments, profiles in share row exclusive mode`)
  await updateSettings(tx, { counts_tests: false }, eq(sums_settings.counts_tests, true))
}

/** The opening of an own book calls it. */
export async function stopCountingSample(tx: Transaction): Promise<void> {
  await stopCountingTests(tx)
  await forgetPrices(tx)
}

/** The start of a shop that takes money calls it. */
export async function alignTestOrders(database: Connection): Promise<void> {
  const [before] = await database.db.select().from(sums_settings)
  if (before?.counts_tests) await changeUnlimited(database, stopCountingTests)
}

async function limitWait(tx: Transaction) {
  await tx.execute(sql.raw(`set local lock_timeout = '${tableWait}'`))
}

async function updateSettings(
  tx: Transaction,
  set: Partial<typeof sums_settings.$inferInsert>,
  isOther: SQL,
) {
  const changed = await tx.update(sums_settings).set(set).where(isOther).returning()
  if (changed.length === 0) return
  await tx.execute(sql`select sums_rebuild()`)
}

async function changeUnlimited(
  { url }: Connection,
  change: (tx: Transaction) => Promise<void>,
  retries?: LockRetries,
) {
  await using unlimited = openDatabase(url, { max: 1, statementMs: 0 })
  await retryWhileLocked(() => unlimited.db.transaction(change), retries)
}
