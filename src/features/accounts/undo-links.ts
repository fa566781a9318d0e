// The links in emails to an address that its account is to lose, or has lost. They lead to a page with a button.
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { address_changes } from './address-changes-schema.ts'
import { hashOf, newToken } from './links.ts'

/** Undefined where there is nothing to undo any more. */
export async function makeUndoLink(
  db: Db,
  { change_id, siteUrl }: { change_id: string; siteUrl: string },
  now: Date,
): Promise<string | undefined> {
  const { token } = newToken()
  const { rowCount } = await db
    .update(address_changes)
    .set({ undo_hashes: sql`array_append(${address_changes.undo_hashes}, ${undoHash(token)})` })
    .where(and(eq(address_changes.id, change_id), gt(address_changes.expires_at, now)))
  // Browsers send the fragment to no server.
  return rowCount === 1 ? `${siteUrl}/account/undo#${token}` : undefined
}

export function undoHash(token: string): string {
  return hashOf(token).toString('base64url')
}
