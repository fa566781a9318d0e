import { sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { users } from '#tables/accounts.ts'
import { accountProblem } from './problem.ts'
import { accountMailJob } from './account.emails.ts'
import { noAddressChange, audit, updateAccount, type Account } from './accounts.ts'
import { askForAddress } from './address-changes.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { requireUncommon } from './passwords.ts'
import { deleteOtherDevices, type Device, endSessions } from './sessions.ts'
import { addressLinks, dropLinks } from './links.ts'
import type { AccountsContext } from './accounts-context.ts'
import { comparePassword, lockCaller, lockProvenCaller, requireRecentProof } from './recent-proof.ts'
import { isSmall } from './gotrue.ts'
import { isOfMailbox } from './admin-rights.ts'
import { deleteAllWrongCodes } from './limits.ts'

export type AccountChange = {
  email?: string | undefined
  password?: string | undefined
  current_password?: string | undefined
  data?: Record<string, unknown> | undefined
  path: string | undefined
}

/**
 * A new password ends all other sessions and all links; a new address counts once both mailboxes have confirmed it. Both need
 * a recent proof, checked before anything about the account's password is revealed, and again under the lock.
 */
export async function changeAccount(
  context: AccountsContext,
  caller: SignedInUser,
  change: AccountChange,
  device: Device,
): Promise<Account> {
  const { db, clock, accounts, limits, passwords } = context
  const account = await accounts.getById(caller.id)
  const email = change.email === account.email ? undefined : change.email
  const { password, data } = change
  const isGuarded = email !== undefined || password !== undefined
  if (isGuarded) requireRecentProof(caller, clock(), change.current_password !== undefined)
  const giver = { user_id: caller.id, network: device.network }
  const proof = isGuarded ? await comparePassword(context, giver, change.current_password) : undefined
  if (password && account.password_hash) {
    await limits.password(caller.id)
    if (await passwords.isRight(password, account.password_hash)) throw accountProblem('auth.same_password')
  }
  if (password && caller.is_admin) await requireUncommon(password)
  // Both mailboxes get a link.
  if (email)
    for (const each of [email, account.email])
      await context.limitMail({ email: each, purpose: 'changed_address' }, device)
  const password_hash = password && (await passwords.hash(password))

  const now = clock()
  await db.transaction(async (tx) => {
    const locked = isGuarded
      ? await lockProvenCaller(tx, caller, proof, now)
      : (await lockCaller(tx, caller, now)).user
    const owner = { ...locked, session_id: caller.session_id }
    if (data) await mergeMetadata(tx, owner.id, data, now)
    if (password_hash) await changePassword(tx, context, { owner, password_hash, device }, now)
    const request = { user: owner, session_id: caller.session_id, device, path: change.path }
    if (email) await askForAddress(tx, context, { ...request, new_email: email }, now)
  })
  return accounts.getById(account.id)
}

type Owner = Pick<typeof users.$inferSelect, 'id' | 'email' | 'password_unproven_since'> & {
  session_id: string
}

async function changePassword(
  tx: Transaction,
  { queue }: Pick<AccountsContext, 'queue'>,
  { owner, password_hash, device }: { owner: Owner; password_hash: string; device: Device },
  now: Date,
): Promise<void> {
  const { id: user_id, email, session_id, password_unproven_since: since } = owner
  // A password that another person chose may have been given by that person.
  const isProven = since === null || (await isOfMailbox(tx, { session_id, since }))
  const password_unproven_since = isProven ? null : since
  const password = { password_hash, password_unproven_since }
  await updateAccount(tx, user_id, { ...noAddressChange, ...password }, now)
  await endSessions(tx, { user_id, except: session_id }, 'password changed', now)
  await dropLinks(tx, user_id, ['magiclink', 'recovery', ...addressLinks])
  await deleteOtherDevices(tx, user_id, device)
  await deleteAllWrongCodes(tx, user_id)
  await audit(tx, { user_id, event: 'password_changed', ip: device.ip }, now)
  await queue.enqueue(tx, accountMailJob, { kind: 'password_changed', email })
}

async function mergeMetadata(tx: Transaction, id: string, data: object, now: Date): Promise<void> {
  const merged = sql`jsonb_strip_nulls(${users.user_metadata} || ${JSON.stringify(data)}::jsonb)`
  const { user_metadata } = await updateAccount(tx, id, { user_metadata: merged }, now)
  if (!isSmall(user_metadata)) throw accountProblem('auth.validation_failed')
}
