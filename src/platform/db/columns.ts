// Columns that many tables have.
import { sql } from 'drizzle-orm'
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core'

export const moment = () => timestamp({ withTimezone: true, mode: 'date' })
export const created_at = () => moment().notNull().defaultNow()
/** An amount with two digits. */
export const money = () => numeric({ precision: 10, scale: 2, mode: 'number' })
/** For a check that a column holds one of these values. */
export const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
