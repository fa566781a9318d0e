// Serialises what changes who is admin: two admins who demote each other at the same moment would each find the other.
import { sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'

/** Until the transaction ends. Comes before any lock of a user's row, so that no two transactions wait for each other. */
export async function lockAdmins(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern admins'))`)
}
