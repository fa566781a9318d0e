// Changes of password, address, factors and sessions need a recent proof: a stolen session must not take over the account.
import { platformProblem } from '#platform/problem.ts'
import { accountProblem, isBanned, hasRole, lockUser } from './accounts.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { SignedInUser } from '#platform/http/route.ts'
import { sessions, users, mfa_factors } from '#tables/accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Transaction } from '#platform/db/client.ts'
import { lockAdmins } from './admin-rights.ts'
import { recordWrongProof } from './limits.ts'
import type { Device } from './sessions.ts'
import { dropLinks, takeLink, findCoded } from './links.ts'
import { makeNetworkOwn } from './mail-limits.ts'

export const recentMs = 10 * 60_000

type Caller = Pick<SignedInUser, 'id' | 'session_id'>
type Proofs = Pick<SignedInUser, 'aal' | 'has_factor' | 'signed_in_at' | 'factor_proved_at'>

export function requireSecondFactor({ has_factor, aal }: Pick<Proofs, 'has_factor' | 'aal'>): void {
  if (has_factor && aal !== 'aal2') throw accountProblem('auth.insufficient_aal')
}

export function requireRecentProof(proofs: Proofs, now: Date, isPasswordGiven = false): void {
  const isRecent = (proof: Date | null) => proof !== null && now.getTime() - proof.getTime() < recentMs
  requireSecondFactor(proofs)
  if (proofs.has_factor && !isRecent(proofs.factor_proved_at)) throw accountProblem('auth.insufficient_aal')
  if (!isPasswordGiven && !isRecent(proofs.signed_in_at)) throw accountProblem('auth.reauthentication_needed')
}

/** Slow, so it runs before the transaction, which then checks that the returned hash is still the account's. */
export async function comparePassword(
  {
    db,
    clock,
    accounts,
    limits,
    passwords,
  }: Pick<AccountsContext, 'db' | 'clock' | 'accounts' | 'limits' | 'passwords'>,
  { user_id, network }: { user_id: string; network: string },
  input: string | undefined,
): Promise<string | undefined> {
  if (input === undefined) return undefined
  await limits.password(user_id)
  const { password_hash } = await accounts.getById(user_id)
  const isRight = await passwords.isRight(input, password_hash)
  if (!isRight || !password_hash) {
    await recordWrongProof(db, { event: 'wrong_password', user_id, network }, clock())
    throw accountProblem('auth.invalid_credentials')
  }
  return password_hash
}

export async function renewProof(
  db: AccountsContext['db'] | Transaction,
  { session_id }: Caller,
  now: Date,
): Promise<void> {
  const isLiving = and(eq(sessions.id, session_id), isNull(sessions.revoked_at))
  await db.update(sessions).set({ proved_at: now }).where(isLiving)
}

/** Changes of factors, password, address or sessions take this lock first, and read the session's rights under it. */
export async function lockCaller(tx: Transaction, { id, session_id }: Caller, now: Date) {
  const user = await lockUser(tx, eq(users.id, id))
  const isOwn = and(eq(sessions.id, session_id), eq(sessions.user_id, id), isNull(sessions.revoked_at))
  const [session] = await tx.select().from(sessions).where(isOwn)
  if (!user || !session) throw accountProblem('auth.session_not_found')
  if (isBanned(user, now)) throw accountProblem('auth.user_banned')
  const isVerified = and(eq(mfa_factors.user_id, id), eq(mfa_factors.status, 'verified'))
  const has_factor = (await tx.$count(mfa_factors, isVerified)) > 0
  const { aal, proved_at: signed_in_at, factor_proved_at } = session
  return { user, proofs: { aal, has_factor, signed_in_at, factor_proved_at } }
}

export async function lockProvenCaller(
  tx: Transaction,
  caller: Caller,
  password_hash: string | undefined,
  now: Date,
) {
  const { user, proofs } = await lockCaller(tx, caller, now)
  if (password_hash !== undefined && user.password_hash !== password_hash) {
    throw accountProblem('auth.invalid_credentials')
  }
  requireRecentProof(proofs, now, password_hash !== undefined)
  return user
}

export type RequireProof = (tx: Transaction) => Promise<void>

/** The returned check comes first in the transaction of the change: its locks hold role, session and proof as they are. */
export async function prepareAdminProof(
  context: AccountsContext,
  caller: Caller,
  { current_password, network }: { current_password: string | undefined; network: string },
): Promise<RequireProof> {
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  return async (tx) => {
    const now = context.clock()
    await lockAdmins(tx)
    await lockProvenCaller(tx, caller, password_hash, now)
    if (!(await hasRole(tx, caller.id, 'admin'))) throw platformProblem('access.forbidden')
    if (password_hash !== undefined) await renewProof(tx, caller, now)
  }
}

/** A code that was mailed to the account's own address, which could also choose a new password. */
export async function proveByCode(
  context: AccountsContext,
  caller: SignedInUser,
  code: string,
  device: Device,
): Promise<void> {
  const coded = await findCoded(context, { email: caller.email, code, types: ['magiclink'], device })
  const now = context.clock()
  await context.db.transaction(async (tx) => {
    const { user } = await takeLink(tx, [coded.type], coded.hash, now)
    if (user.id !== caller.id) throw accountProblem('auth.otp_expired')
    await dropLinks(tx, user.id, ['magiclink'])
    await makeNetworkOwn(tx, { email: user.email, network: device.network }, now)
    await renewProof(tx, caller, now)
  })
}
