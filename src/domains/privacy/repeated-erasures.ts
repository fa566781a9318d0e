// A restored shop erases again what was erased since the backup was made, before it opens.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { insertHashes } from '#domains/accounts/erased-ids.ts'
import { eraseAccount } from './account-erasure.ts'

/** Resolves to how many accounts were erased. Orders that the backup has as under way were finished before the erasure. */
export async function eraseAgain(db: Db, hashes: readonly string[], now: Date): Promise<number> {
  await insertHashes(db, hashes)
  const rows = await queryAll(
    db,
    z.object({ id: z.string() }),
    sql`
      select p.user_id as id from profiles p join erased_ids e on e.hash = sha256(p.user_id::text::bytea)
      where p.email <> ''`,
  )
  for (const { id: user_id } of rows) await db.transaction((tx) => eraseAccount(tx, { user_id, now }))
  return rows.length
}
