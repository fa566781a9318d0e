// Whether the files of the products are where the database says.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import type { Storage } from '#platform/storage.ts'

/** Counts every file and picture of a product, and names those that the storage does not have. */
export async function findMissingFiles(
  db: Db,
  storage: Pick<Storage, 'stat'>,
): Promise<{ count: number; missing: string[] }> {
  const names = await queryAll(
    db,
    z.object({ name: z.string() }),
    sql`
    select file_path as name from product_files
    union select file_path from products where file_path is not null
    union select cover_path from products where cover_path is not null
    order by name`,
  )
  const missing: string[] = []
  for (const { name } of names) if (!(await storage.stat(name))) missing.push(name)
  return { count: names.length, missing }
}
