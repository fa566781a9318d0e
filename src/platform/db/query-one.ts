// Raw SQL whose result is exactly one row.
import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from './client.ts'

/** Throws a ZodError where the result is anything but one such row. */
export async function queryOne<Row>(db: Db | Transaction, row: z.ZodType<Row>, query: SQL): Promise<Row> {
  const { rows } = await db.execute(query)
  const [only] = z.tuple([row]).parse(rows)
  return only
}
