// Passwords that somebody else than the account's owner may know. They are good for a reader, and for no admin.
import { and, eq, gte, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { audit, updateAccount } from './accounts.ts'
import { forgetOtherDevices } from './known-devices.ts'
import { dropLinks } from './links.ts'
import { mfa_factors, sessions, type users } from './schema.ts'
import { endSessions } from './sessions.ts'
import { forgetAllWrongCodes } from './wrong-codes.ts'

type User = typeof users.$inferSelect

export function isUnproven({ password_hash, password_unproven_since }: User): boolean {
  return password_hash !== null && password_unproven_since !== null
}

/**
 * The user as it is then. With such a password end the sessions, second factors and the wish for another address, which
 * who knew it may have made. The row must be locked.
 */
export async function endUnprovenPassword(tx: Transaction, user: User, now: Date): Promise<User> {
  if (!isUnproven(user)) return user
  const { id: user_id } = user
  await endSessions(tx, { user_id }, 'password ended', now)
  await tx.delete(mfa_factors).where(eq(mfa_factors.user_id, user_id))
  await dropLinks(tx, user_id, ['recovery', 'email_change'])
  await forgetOtherDevices(tx, user_id, {})
  await forgetAllWrongCodes(tx, user_id)
  await audit(tx, { user_id, event: 'password_ended' }, now)
  const asked = { new_email: null, new_email_asked_at: null }
  return updateAccount(tx, user_id, { password_hash: null, password_unproven_since: null, ...asked }, now)
}

/** Whether this session was opened by a link to the address that the account has now: a password chosen in it is the owner's. */
export async function isOfMailbox(
  tx: Transaction,
  { session_id, since }: { session_id: string; since: Date },
): Promise<boolean> {
  const isByLink = sql`${sessions.amr} @> '[{"method": "recovery"}]'`
  const isLater = gte(sessions.created_at, since)
  return (await tx.$count(sessions, and(eq(sessions.id, session_id), isByLink, isLater))) > 0
}
