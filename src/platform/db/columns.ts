import { sql } from 'drizzle-orm'
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core'

export const moment = () => timestamp({ withTimezone: true, mode: 'date' })
export const created_at = () => moment().notNull().defaultNow()
export const money = () => numeric({ precision: 10, scale: 2, mode: 'number' })
export const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
