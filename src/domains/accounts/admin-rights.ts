// Nobody becomes admin with a password that another person may know. See decision 15.
import { and, eq, gte, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { accountProblem, grantRole, updateAccount, audit } from './accounts.ts'
import { noAddressChange } from './pending-address.ts'
import { accountMailJob, type AdminNotice } from './account.emails.ts'
import type { AccountsContext } from './accounts-context.ts'
import { sessions, user_roles, users, mfa_factors } from '#tables/accounts.ts'
import { deleteOtherDevices, endSessions } from './sessions.ts'
import { dropLinks, linkTypes } from './links.ts'
import { deleteAllWrongCodes } from './wrong-codes.ts'

/** Comes before any lock of a user's row, so that no two transactions wait for each other. */
export async function lockAdmins(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern admins'))`)
}

type User = typeof users.$inferSelect

/** The row must be locked. Without `hasPassword` the owner needs a link. */
export async function grantAdmin(
  tx: Transaction,
  { clock, mail }: Pick<AccountsContext, 'clock' | 'mail'>,
  user: User,
): Promise<{ isNew: boolean; hasPassword: boolean }> {
  const isNew = await grantRole(tx, user.id, 'admin')
  if (isNew && isUnproven(user) && !mail.sendsMail()) throw accountProblem('users.password_unproven')
  const { password_hash } = isNew ? await endUnprovenPassword(tx, user, clock()) : user
  return { isNew, hasPassword: password_hash !== null }
}

type Change = { kind: AdminNotice; user_id: string }

/** Lists admins who can sign in. */
export async function listAdminEmails(
  tx: Transaction,
  clock: () => Date,
  except?: string,
): Promise<string[]> {
  const isEnabled = or(isNull(users.banned_until), lt(users.banned_until, clock()))
  const isOther = except === undefined ? undefined : ne(users.id, except)
  const rows = await tx
    .select({ email: users.email })
    .from(user_roles)
    .innerJoin(users, eq(users.id, user_roles.user_id))
    .where(and(eq(user_roles.role, 'admin'), isOther, isEnabled))
  return rows.map(({ email }) => email)
}

/** `user_id` is the account whose right has changed. It gets the mail as well, unless it is new. */
export async function notifyAdmins(
  tx: Transaction,
  { queue, clock }: Pick<AccountsContext, 'queue' | 'clock'>,
  { kind, user_id }: Change,
): Promise<void> {
  const [changed] = await tx.select({ email: users.email }).from(users).where(eq(users.id, user_id))
  if (!changed) throw new Error('the account vanished while its right was changed')
  const others = await listAdminEmails(tx, clock, user_id)
  const recipients = kind === 'admin_added' ? others : [...others, changed.email]
  for (const email of recipients) {
    await queue.enqueue(tx, accountMailJob, { kind, email, admin: changed.email })
  }
}

function isUnproven({ password_hash, password_unproven_since }: User): boolean {
  return password_hash !== null && password_unproven_since !== null
}

/**
 * Ends the sessions, the second factors and the wish for another address with such a password: its holder may have made
 * them. An address that was never confirmed counts as confirmed then: else the link of a stranger's sign-up would set that
 * stranger's password. The row must be locked.
 */
export async function endUnprovenPassword(tx: Transaction, user: User, now: Date): Promise<User> {
  if (!isUnproven(user) && user.email_confirmed_at) return user
  await endCredentials(tx, user, 'password ended', now)
  const ended = { ...noAddressChange, password_hash: null, password_unproven_since: null }
  const confirmed = user.email_confirmed_at ? {} : { user_metadata: {}, email_confirmed_at: now }
  return updateAccount(tx, user.id, { ...ended, ...confirmed }, now)
}

/** A password chosen in a session that a link to the account's present address has opened is the owner's. */
export async function isOfMailbox(
  tx: Transaction,
  { session_id, since }: { session_id: string; since: Date },
): Promise<boolean> {
  const isByLink = sql`${sessions.amr} @> '[{"method": "recovery"}]'`
  const isLater = gte(sessions.created_at, since)
  return (await tx.$count(sessions, and(eq(sessions.id, session_id), isByLink, isLater))) > 0
}

/** All that another person may know or have added, but for the password, which the caller ends with the account's row. */
export async function endCredentials(
  tx: Transaction,
  { id: user_id, password_hash }: User,
  revoked_reason: string,
  now: Date,
): Promise<void> {
  await endSessions(tx, { user_id }, revoked_reason, now)
  await tx.delete(mfa_factors).where(eq(mfa_factors.user_id, user_id))
  await dropLinks(tx, user_id, linkTypes)
  await deleteOtherDevices(tx, user_id, {})
  await deleteAllWrongCodes(tx, user_id)
  if (password_hash !== null) await audit(tx, { user_id, event: 'password_ended' }, now)
}
