// Raw SQL whose rows are parsed; each function throws a ZodError where they are not what the schema says.
import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from './client.ts'

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
