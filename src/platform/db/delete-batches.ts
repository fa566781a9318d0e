// Deleting many rows: a statement may not take longer than the pool's limit.
import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from './client.ts'

const batchRows = 10_000

/** All rows of the table of `key`, its primary key, for which `isOld` holds; a transaction for each 10,000. */
export async function deleteBatches(db: Db, key: PgColumn, isOld: SQL | undefined): Promise<void> {
  const { table } = key
  const batch = sql`
    delete from ${table} where ${key} in (select ${key} from ${table} where ${isOld} limit ${batchRows})`
  while ((await db.execute(batch)).rowCount === batchRows);
}
