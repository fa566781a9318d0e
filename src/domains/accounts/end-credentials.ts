import { eq } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { audit } from './accounts.ts'
import { deleteOtherDevices, endSessions } from './sessions.ts'
import { dropLinks, linkTypes } from './links.ts'
import { mfa_factors } from '#tables/accounts.ts'
import { deleteAllWrongCodes } from './limits.ts'

/** All that another person may know or have added, but for the password, which the caller ends with the account's row. */
export async function endCredentials(
  tx: Transaction,
  user_id: string,
  revoked_reason: string,
  now: Date,
): Promise<void> {
  await endSessions(tx, { user_id }, revoked_reason, now)
  await tx.delete(mfa_factors).where(eq(mfa_factors.user_id, user_id))
  await dropLinks(tx, user_id, linkTypes)
  await deleteOtherDevices(tx, user_id, {})
  await deleteAllWrongCodes(tx, user_id)
  await audit(tx, { user_id, event: 'password_ended' }, now)
}
