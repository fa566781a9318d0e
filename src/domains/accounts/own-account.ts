// The account as its owner sees and changes it.
import { and, asc, eq, getTableColumns, ne, desc, gt, isNull, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import {
  accountProblem,
  audit,
  addressToCome,
  missingMailboxes,
  noAddressChange,
  updateAccount,
  type Account,
} from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { passkeys, mfa_factors, recovery_codes, sessions, audit_log, users } from '#tables/accounts.ts'
import {
  lockCaller,
  requireSecondFactor,
  requireRecentProof,
  comparePassword,
  lockProvenCaller,
} from './guard.ts'
import { relyingParty } from './challenges.ts'
import type { OwnFactors, OwnSession, OwnAccount } from '#contract/accounts/accounts.ts'
import { describeBrowser } from '#platform/describe-browser.ts'
import { endSessions, idleSince, type Device, deleteOtherDevices } from './sessions.ts'
import { accountMailJob } from './account.emails.ts'
import { cancelAddressChange, findAddressLink, askForAddress } from './address-changes.ts'
import { requireUncommon } from './passwords.ts'
import { addressLinks, dropLinks } from './links.ts'
import { isSmall } from './gotrue.ts'
import { isOfMailbox } from './admin-rights.ts'
import { deleteAllWrongCodes } from './limits.ts'

// The sessions of one's own account: seen by their owner, who ends one of them or all others (sign-out with `others`).

export async function listPasskeys(context: AccountsContext, caller: SignedInUser) {
  requireSecondFactor(caller)
  const { rpID } = relyingParty(context)
  const own = await listOwn(context.db, caller.id)
  return own.map(({ id, friendly_name, created_at, last_used_at, is_backed_up, rp_id }) => ({
    id,
    friendly_name: friendly_name ?? '',
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString(),
    is_backed_up,
    is_of_old_address: rp_id !== rpID,
  }))
}

export async function namePasskey(
  context: AccountsContext,
  caller: SignedInUser,
  { id, friendly_name }: { id: string; friendly_name: string },
) {
  requireSecondFactor(caller)
  const { db, clock } = context
  const { id: user_id } = caller
  await db.transaction(async (tx) => {
    await lockCaller(tx, caller, clock())
    const isOwn = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.factor_type, 'webauthn'))
    const isNamesake = and(
      eq(mfa_factors.user_id, user_id),
      eq(mfa_factors.friendly_name, friendly_name),
      ne(mfa_factors.id, id),
    )
    if ((await tx.$count(mfa_factors, isNamesake)) > 0) throw accountProblem('auth.mfa_factor_name_conflict')
    const { rowCount } = await tx
      .update(mfa_factors)
      .set({ friendly_name })
      .where(and(isOwn, eq(mfa_factors.id, id)))
    if (rowCount === 0) throw accountProblem('auth.mfa_factor_not_found')
  })
  return (await listPasskeys(context, caller)).find((passkey) => passkey.id === id)
}

export async function listOwn(db: Db | Transaction, user_id: string) {
  return db
    .select({ ...getTableColumns(passkeys), ...getTableColumns(mfa_factors) })
    .from(passkeys)
    .innerJoin(mfa_factors, eq(mfa_factors.id, passkeys.factor_id))
    .where(eq(mfa_factors.user_id, user_id))
    .orderBy(asc(mfa_factors.created_at))
}

export function toKnown({ credential_id, transports }: { credential_id: string; transports: string[] }) {
  return { id: credential_id, transports }
}

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

type Caller = Pick<SignedInUser, 'id' | 'session_id'>

/** Those that still sign in, the last seen first. */
async function listOwnSessions(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  { id: user_id, session_id }: Caller,
): Promise<OwnSession[]> {
  const now = clock()
  const isLiving = and(
    eq(sessions.user_id, user_id),
    isNull(sessions.revoked_at),
    gt(sessions.not_after, now),
    gt(sessions.refreshed_at, idleSince(now)),
  )
  const rows = await db
    .select()
    .from(sessions)
    .where(isLiving)
    .orderBy(desc(sessions.refreshed_at), desc(sessions.id))
  return rows.map((row) => toOwnSession(row, session_id))
}

function toOwnSession(row: typeof sessions.$inferSelect, current_id: string): OwnSession {
  const { id, user_agent, created_at, refreshed_at } = row
  return {
    id,
    is_current: id === current_id,
    ...describeBrowser(user_agent),
    signed_in_at: created_at.toISOString(),
    last_seen_at: refreshed_at.toISOString(),
  }
}

/** One that has ended already is no failure. With a recent proof: else a stolen session could sign its owner out. */
async function endOwnSession(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  caller: SignedInUser,
  id: string,
): Promise<void> {
  const now = clock()
  requireRecentProof(caller, now)
  await db.transaction(async (tx) => {
    const count = await endSessions(tx, { user_id: caller.id, only: id }, 'ended by its user', now)
    if (count === 0) return
    const detail = { session_id: id }
    await audit(tx, { user_id: caller.id, event: 'session_ended', detail }, now)
  })
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

const noticePauseMs = 3_600_000

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
