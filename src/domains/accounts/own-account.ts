// The account as its owner sees and changes it.
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem, audit, updateAccount, type Account } from './accounts.ts'
import { addressToCome, missingMailboxes, noAddressChange } from './pending-address.ts'
import type { AccountsContext } from './accounts-context.ts'
import { mfa_factors, recovery_codes, audit_log, users } from '#tables/accounts.ts'
import { lockCaller, requireRecentProof, comparePassword, lockProvenCaller } from './recent-proof.ts'
import { relyingParty } from './webauthn.ts'
import { hourMs } from '#contract/durations.ts'
import type { OwnFactors, OwnAccount } from '#contract/accounts/own-account.ts'
import { endSessions, type Device, deleteOtherDevices } from './sessions.ts'
import { accountMailJob } from './account.emails.ts'
import { cancelAddressChange, findAddressLink, askForAddress } from './address-changes.ts'
import { requireUncommon } from './passwords.ts'
import { addressLinks, dropLinks } from './links.ts'
import { isSmall } from './gotrue.ts'
import { isOfMailbox } from './admin-rights.ts'
import { deleteAllWrongCodes } from './wrong-codes.ts'
import { listOwn } from './own-passkeys.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'

async function listOwnFactors(
  context: Pick<AccountsContext, 'db' | 'settings'>,
  user_id: string,
): Promise<OwnFactors> {
  const { db } = context
  const isOwn = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.status, 'verified'))
  const own = await db.select().from(mfa_factors).where(isOwn).orderBy(asc(mfa_factors.created_at))
  const codes = own.find(({ factor_type }) => factor_type === 'recovery_code')
  const { rpID } = relyingParty(context)
  const passkeys = await listOwn(db, user_id)
  return {
    apps: own
      .filter(({ factor_type }) => factor_type === 'totp')
      .map(({ id, created_at }) => ({ id, created_at: created_at.toISOString() })),
    passkeys: passkeys.map(({ id, friendly_name, created_at, last_used_at, rp_id }) => ({
      id,
      friendly_name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
      is_of_old_address: rp_id !== rpID,
    })),
    codes_left: codes ? await db.$count(recovery_codes, eq(recovery_codes.factor_id, codes.id)) : null,
  }
}

export function createOwnAccounts(context: AccountsContext) {
  return {
    get: (user_id: string) => getOwnAccount(context, user_id),
    cancelAddressChange: (caller: SignedInUser) => cancelAddressChange(context, caller),
    findAddressLink: (token: string, device: Device) => findAddressLink(context, token, device),
    listSessions: (caller: SignedInUser) => listOwnSessions(context, caller),
    endSession: (caller: SignedInUser, id: string) => endOwnSession(context, caller, id),
    reportDataTaken: (user: { id: string; email: string }) => reportDataTaken(context, user),
  }
}

async function getOwnAccount(
  context: Pick<AccountsContext, 'accounts' | 'db' | 'settings' | 'clock'>,
  user_id: string,
): Promise<OwnAccount> {
  const account = await context.accounts.getById(user_id)
  const { email, user_metadata, password_hash } = account
  const new_email = addressToCome(account, context.clock()) ?? null
  return {
    email,
    new_email,
    missing: new_email ? missingMailboxes(account) : [],
    display_name: user_metadata.display_name ?? null,
    has_password: password_hash !== null,
    factors: await listOwnFactors(context, user_id),
  }
}

const noticePauseMs = hourMs

/** An email at most once an hour: who reads a page twice hears of it once. */
async function reportDataTaken(
  { db, queue, clock }: Pick<AccountsContext, 'db' | 'queue' | 'clock'>,
  { id: user_id, email }: { id: string; email: string },
): Promise<void> {
  const now = clock()
  const event = 'data_taken'
  const isRecent = gt(audit_log.created_at, new Date(now.getTime() - noticePauseMs))
  await db.transaction(async (tx) => {
    const earlier = and(eq(audit_log.user_id, user_id), eq(audit_log.event, event), isRecent)
    if ((await tx.$count(audit_log, earlier)) > 0) return
    await audit(tx, { user_id, event }, now)
    await queue.enqueue(tx, accountMailJob, { kind: event, email })
  })
}

type AccountChange = {
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
