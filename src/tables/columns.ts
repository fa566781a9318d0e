// Types of columns that several tables have.
import { sql } from 'drizzle-orm'
import { customType, timestamp } from 'drizzle-orm/pg-core'
import { fromCents, toCents, toDecimal, type Cents } from '#contract/money.ts'

export const moment = () => timestamp({ withTimezone: true, mode: 'date' })
export const created_at = () => moment().notNull().defaultNow()
/** A decimal in the database, and cents in code. */
const numeric = customType<{
  data: Cents
  driverData: number | string
  config: { precision: number; scale: 2 }
  configRequired: true
}>({
  dataType: ({ precision, scale }) => `numeric(${precision}, ${scale})`,
  fromDriver: (amount) => toCents(Number(amount)),
  toDriver: (cents) => toDecimal(fromCents(cents)),
})
export const money = () => numeric({ precision: 10, scale: 2 })
/** A sum of many purchases, or an amount in a currency of small units. */
export const largeMoney = () => numeric({ precision: 14, scale: 2 })
export const moneySum = () =>
  largeMoney()
    .notNull()
    .default(sql`0`)
export const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
