// Raw SQL whose rows are parsed; each function throws a ZodError where they are not what the schema says.
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from './client.ts'
import type { PgColumn } from 'drizzle-orm/pg-core'

export async function queryAll<Row>(db: Db | Transaction, row: z.ZodType<Row>, query: SQL): Promise<Row[]> {
  const { rows } = await db.execute(query)
  return z.array(row).parse(rows)
}

/** Of a query that returns at most one row. */
export async function queryFirst<Row>(
  db: Db | Transaction,
  row: z.ZodType<Row>,
  query: SQL,
): Promise<Row | undefined> {
  const [first] = await queryAll(db, row, query)
  return first
}

/** Throws a ZodError also where the result is not exactly one row. */
export async function queryOne<Row>(db: Db | Transaction, row: z.ZodType<Row>, query: SQL): Promise<Row> {
  const { rows } = await db.execute(query)
  const [only] = z.tuple([row]).parse(rows)
  return only
}

/** A timestamptz, which raw SQL returns as PostgreSQL's text, as it is on the wire. */
export const isoTime = z.coerce.date().transform((time) => time.toISOString())

const batchRows = 10_000

/** All rows of the table of `key`, its primary key, for which `isOld` holds; a transaction for each 10,000. */
export async function deleteBatches(db: Db, key: PgColumn, isOld: SQL | undefined): Promise<void> {
  const { table } = key
  const batch = sql`
    delete from ${table} where ${key} in (select ${key} from ${table} where ${isOld} limit ${batchRows})`
  while ((await db.execute(batch)).rowCount === batchRows);
}
