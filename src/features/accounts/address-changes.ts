// Another address of an account: asked for, confirmed from the new one, undone from the old one. See decision 33.
import { and, arrayContains, eq, gt, gte, ne, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { isDuplicate, type Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import { accountMailJob } from './account-mail.ts'
import type { AccountsContext } from './accounts-context.ts'
import { audit, deleteUnconfirmed, isAddress, isTaken, lockUser, updateAccount } from './accounts.ts'
import { address_changes } from './address-changes-schema.ts'
import { deleteOtherDevices } from './devices.ts'
import { dropLinks, makeResetToken, type takeLink } from './links.ts'
import { lockCaller } from './recent-proof.ts'
import { undoMs } from './reserved-addresses.ts'
import { mfa_factors, users } from './schema.ts'
import { endSessions } from './sessions.ts'
import { undoHash } from './undo-links.ts'
import { deleteAllWrongCodes } from './wrong-codes.ts'

type User = typeof users.$inferSelect
const notAsked = { new_email: null, new_email_asked_at: null }

type Wish = {
  user: Pick<User, 'id' | 'email'>
  session_id: string
  new_email: string
  path?: string | undefined
}

/** A link works while its address is the one asked for last. */
export async function askForAddress(
  tx: Transaction,
  { queue }: Pick<AccountsContext, 'queue'>,
  { user: { id: user_id, email }, session_id, new_email, path }: Wish,
  now: Date,
): Promise<void> {
  await updateAccount(tx, user_id, { new_email, new_email_asked_at: now }, now)
  const change_id = uuidv7()
  await tx.insert(address_changes).values({
    id: change_id,
    user_id,
    session_id,
    old_email: email,
    new_email,
    asked_at: now,
    expires_at: new Date(now.getTime() + undoMs),
  })
  await audit(tx, { user_id, event: 'email_change_asked', detail: { to: new_email } }, now)
  await queue.enqueue(tx, accountMailJob, { kind: 'email_change', email, new_email, path })
  await queue.enqueue(tx, accountMailJob, { kind: 'email_change_asked', email, new_email, change_id })
}

/** Its confirmation is refused from then on. What the old address was told stays valid. */
export async function cancelAddressChange(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  caller: { id: string; session_id: string },
): Promise<void> {
  const now = clock()
  await db.transaction(async (tx) => {
    const { user } = await lockCaller(tx, caller, now)
    await updateAccount(tx, user.id, notAsked, now)
    await dropLinks(tx, user.id, ['email_change'])
  })
}

/** The password may be that of another person, who has had a stranger confirm this address. */
export async function confirmAddress(
  tx: Transaction,
  { link, user }: Awaited<ReturnType<typeof takeLink>>,
  { queue, clock }: Pick<AccountsContext, 'queue' | 'clock'>,
  now: Date,
): Promise<void> {
  const { id: user_id, email: from } = user
  const { email: to } = link
  if (user.new_email !== to) throw new Problem('auth.otp_expired')
  if (await isTaken(tx, to, { user_id, now })) throw new Problem('auth.email_exists')
  await deleteUnconfirmed(tx, isAddress(to))
  // Under the lock of the row, so later than any session that a link to the old address has opened.
  const change = { email: to, password_unproven_since: clock(), ...notAsked }
  await updateAccount(tx, user_id, change, now).catch(refuseTaken)
  await dropLinks(tx, user_id, ['magiclink', 'recovery', 'email_change'])
  const { id: change_id, session_id } = await recordConfirmed(tx, user, to, now)
  await endSessions(tx, { user_id, ...(session_id && { except: session_id }) }, 'email changed', now)
  await audit(tx, { user_id, event: 'email_changed', detail: { from, to } }, now)
  const notice = { kind: 'email_changed' as const, new_email: to }
  await queue.enqueue(tx, accountMailJob, { ...notice, email: from, change_id })
  await queue.enqueue(tx, accountMailJob, { ...notice, email: to })
}

function refuseTaken(error: unknown): never {
  throw isDuplicate(error, 'users_email') ? new Problem('auth.email_exists') : error
}

/** Asked for by an earlier version, or before the account became an admin's, it has no row yet. */
async function recordConfirmed(tx: Transaction, user: User, new_email: string, now: Date) {
  const { id: user_id, email: old_email, new_email_asked_at: asked_at } = user
  const confirmed = { confirmed_at: now, expires_at: new Date(now.getTime() + undoMs) }
  const isAsked = and(eq(address_changes.user_id, user_id), eq(address_changes.asked_at, asked_at ?? now))
  const [found] = await tx.update(address_changes).set(confirmed).where(isAsked).returning()
  if (found) return found
  const row = { id: uuidv7(), user_id, old_email, new_email, asked_at: asked_at ?? now, ...confirmed }
  const [made] = await tx.insert(address_changes).values(row).returning()
  if (!made) throw new Error('an insert returned no row')
  return made
}

/**
 * The old address is back, and nothing of the account stays valid that its thief may know or have added. Undoes later
 * changes, too. Returns the token of a link that sets a new password.
 */
export async function undoAddressChange(
  { db, clock, queue }: Pick<AccountsContext, 'db' | 'clock' | 'queue'>,
  token: string,
): Promise<string> {
  const now = clock()
  return db.transaction(async (tx) => {
    const { change, user } = await takeChange(tx, token, now)
    const { id: user_id, email: from } = user
    const { old_email: to } = change
    await endSessions(tx, { user_id }, 'email change undone', now)
    await deleteNewFactors(tx, user_id, new Date(change.asked_at.getTime() - undoMs))
    await dropLinks(tx, user_id, ['signup', 'magiclink', 'recovery', 'email_change'])
    await deleteOtherDevices(tx, user_id, {})
    await deleteAllWrongCodes(tx, user_id)
    // The thief may have asked for it, and the owner was not told.
    await tx.execute(sql`delete from erasures where user_id = ${user_id}`)
    const ended = { password_hash: null, password_unproven_since: null }
    const restored = await updateAccount(tx, user_id, { email: to, ...ended, ...notAsked }, now)
    await audit(tx, { user_id, event: 'email_change_undone', detail: { from, to } }, now)
    if (from !== to) await queue.enqueue(tx, accountMailJob, { kind: 'email_change_undone', email: from })
    return makeResetToken(tx, restored, now)
  })
}

/** Deletes the change and later ones. Read again under the lock: a link works once. */
async function takeChange(tx: Transaction, token: string, now: Date) {
  const isOfToken = and(
    arrayContains(address_changes.undo_hashes, [undoHash(token)]),
    gt(address_changes.expires_at, now),
  )
  const [found] = await tx.select().from(address_changes).where(isOfToken)
  const user = found && (await lockUser(tx, eq(users.id, found.user_id)))
  const [change] = await tx.select().from(address_changes).where(isOfToken)
  if (!user || !change) throw new Problem('auth.otp_expired')
  const isSameOrLater = gte(address_changes.asked_at, change.asked_at)
  await tx.delete(address_changes).where(and(eq(address_changes.user_id, user.id), isSameOrLater))
  return { change, user }
}

/** Recovery codes are of no use, and would lock the owner out, where no other factor is left. */
async function deleteNewFactors(tx: Transaction, user_id: string, since: Date): Promise<void> {
  const isOwn = eq(mfa_factors.user_id, user_id)
  await tx.delete(mfa_factors).where(and(isOwn, gte(mfa_factors.created_at, since)))
  const isFactor = and(eq(mfa_factors.status, 'verified'), ne(mfa_factors.factor_type, 'recovery_code'))
  if ((await tx.$count(mfa_factors, and(isOwn, isFactor))) === 0) await tx.delete(mfa_factors).where(isOwn)
}
