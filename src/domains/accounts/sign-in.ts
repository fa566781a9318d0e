// Signing up, in and out, by password and by link.
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem } from '#platform/problem.ts'
import { accountProblem, audit, hasRole, isBanned, type Account } from './accounts.ts'
import { noAddressChange } from './pending-address.ts'
import { accountMailJob } from './account.emails.ts'
import type { AccountsContext } from './accounts-context.ts'
import { isCommonPassword } from './passwords.ts'
import { type Device, endSessions, isOver, openSession, type Session } from './sessions.ts'
import { recordRefusedSignIn, type Reservation } from './limits.ts'
import { isMailLimit } from './mail-limits.ts'
import { recordRefusedSignUp, recordSignUp } from './disputed-sign-ups.ts'
import { deviceKey } from './links.ts'
import { comparePassword, lockProvenCaller } from './recent-proof.ts'
import { pending_sign_ups, sessions, type UserMetadata } from '#tables/accounts.ts'

type Credentials = { email: string; password: string }

/** Reveals whether an account exists, is confirmed or is banned only to a caller who knows its password. */
export async function signIn(
  { db, clock, accounts, limits, passwords }: AccountsContext,
  { email, password }: Credentials,
  device: Device,
): Promise<{ session: Session; account: Account }> {
  const refused = { email, network: device.network }
  const attempt = await limits.signIn(email, device).catch(async (error: unknown) => {
    if (error instanceof Problem && error.code === 'auth.over_request_rate_limit') {
      await recordRefusedSignIn(db, { event: 'sign_in_blocked', ...refused }, clock())
    }
    throw error
  })
  const account = await accounts.findByEmail(email)
  const isRight = await isRightOrUnlimited({ passwords, attempt }, password, account?.password_hash)
  if (!account?.password_hash || !isRight) {
    await recordRefusedSignIn(db, { event: 'sign_in_failed', ...refused }, clock())
    throw accountProblem('auth.invalid_credentials')
  }
  await attempt.release()
  const now = clock()
  if (isBanned(account, now)) throw accountProblem('auth.user_banned')
  if (!account.email_confirmed_at) throw accountProblem('auth.email_not_confirmed')
  await limits.session(account, device)
  // The password of a user who became admin later could not be checked then.
  if ((await isCommonPassword(password)) && (await hasRole(db, account.id, 'admin'))) {
    throw accountProblem('auth.common_password')
  }
  const { id: user_id, password_hash } = account
  const session = await db.transaction((tx) =>
    openSession(tx, { user_id, method: 'password', device, now, password_hash }),
  )
  return { session, account: { ...account, last_sign_in_at: now } }
}

/** A password that was not compared, for want of time, was no guess. */
async function isRightOrUnlimited(
  { passwords, attempt }: Pick<AccountsContext, 'passwords'> & { attempt: Reservation },
  password: string,
  password_hash: string | null | undefined,
): Promise<boolean> {
  try {
    return await passwords.isRight(password, password_hash)
  } catch (error) {
    await attempt.release()
    throw error
  }
}

type SignUp = Credentials & { user_metadata: UserMetadata; path: string | undefined }

/** The same answer and the same work whether or not the address has an account: the mail job finds out. */
export async function signUp(
  { db, clock, limits, limitMail, passwords, queue }: AccountsContext,
  { email, password, user_metadata, path }: SignUp,
  device: Device,
): Promise<Account> {
  const attempt = await limits.signUp(device.network)
  const password_hash = await passwords.hash(password).catch(async (error: unknown) => {
    await attempt.release()
    throw error
  })
  const browser = { email, device: deviceKey(device) }
  await limitMail({ email, purpose: 'sign_up' }, device).catch(async (error: unknown) => {
    if (isMailLimit(error)) await recordRefusedSignUp({ db, clock }, browser)
    throw error
  })
  const id = uuidv7()
  const now = clock()
  await db.transaction(async (tx) => {
    await tx.insert(pending_sign_ups).values({ id, password_hash, user_metadata, created_at: now })
    await recordSignUp(tx, browser, now)
    await queue.enqueue(tx, accountMailJob, { kind: 'sign_up', id, path, ...browser })
  })
  return {
    id,
    email,
    user_metadata,
    password_hash: null,
    password_unproven_since: null,
    email_confirmed_at: null,
    banned_until: null,
    last_sign_in_at: null,
    ...noAddressChange,
    created_at: now,
    updated_at: now,
    factors: [],
  }
}

/** auth-js repeats a renewal whose answer was lost for up to 25 s; until then the old token gives the same successor. */
const leewaySeconds = 30

/**
 * Lets one of several concurrent renewals with one token update the session, and all get its result. A token that was
 * renewed longer ago than the leeway, or is older still, counts as stolen and ends the session.
 */
export async function renewSession(
  { db, clock, accounts, refreshTokens }: AccountsContext,
  token: string,
  device: Device,
): Promise<{ session: Session; account: Account }> {
  const now = clock()
  const claimed = refreshTokens.read(token)
  const session = claimed && (await findSession(db, claimed.session_id))
  if (!claimed || !session || !claimed.isGenuine(session))
    throw accountProblem('auth.refresh_token_not_found')
  if (isOver(session, now)) throw accountProblem('auth.session_expired')
  const account = await accounts.getById(session.user_id)
  if (isBanned(account, now)) throw accountProblem('auth.user_banned')

  const [renewed] = await db
    .update(sessions)
    .set({ counter: claimed.counter + 1, refreshed_at: now })
    .where(
      and(eq(sessions.id, session.id), eq(sessions.counter, claimed.counter), isNull(sessions.revoked_at)),
    )
    .returning()
  if (renewed) return { session: renewed, account }

  const current = await findSession(db, session.id)
  if (!current) throw accountProblem('auth.refresh_token_not_found')
  const age = now.getTime() - current.refreshed_at.getTime()
  const isRepeated = current.counter === claimed.counter + 1 && age <= leewaySeconds * 1000
  if (isRepeated) return { session: current, account }
  await endStolen(db, current, device, now)
  throw accountProblem('auth.refresh_token_already_used')
}

async function endStolen(db: Db, { id, user_id }: Session, { ip }: Device, now: Date): Promise<void> {
  await endSessions(db, { user_id, only: id }, 'token reused', now)
  await audit(db, { user_id, event: 'refresh_token_reused', ip, detail: { session_id: id } }, now)
}

async function findSession(db: Db, id: string) {
  const [session] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.revoked_at)))
  return session
}

type SignOut = {
  token: string
  scope: 'global' | 'local' | 'others'
  current_password: string | undefined
  network: string
}

/**
 * An expired token ends its own session. Other sessions end only with a fresh token and a recent proof: else an old token
 * could sign its owner out. Without the proof `others` is refused; `global`, the default of auth-js, ends the own one.
 */
export async function signOut(
  context: AccountsContext,
  { token, scope, current_password, network }: SignOut,
): Promise<void> {
  const { db, clock, accessTokens } = context
  const now = clock()
  const { sub: user_id, session_id, exp } = await accessTokens.readExpired(token)
  const isLiving = and(eq(sessions.id, session_id), isNull(sessions.revoked_at))
  const reachesOthers = exp * 1000 > now.getTime() && (await db.$count(sessions, isLiving)) > 0
  const caller = { id: user_id, session_id }
  if (scope !== 'local' && reachesOthers) {
    const password_hash = await comparePassword(context, { user_id, network }, current_password)
    const ended = db.transaction(async (tx) => {
      const user = await lockProvenCaller(tx, caller, password_hash, now)
      await endOthers(tx, context, { ...user, session_id }, now)
    })
    await ended.catch((error: unknown) => {
      if (scope === 'global' && error instanceof Problem) return
      const isCodeMissing = error instanceof Problem && error.code === 'auth.insufficient_aal'
      throw isCodeMissing ? accountProblem('auth.sign_out_insufficient_aal') : error
    })
  }
  if (scope !== 'others') await endSessions(db, { user_id, only: session_id }, 'signed out', now)
}

async function endOthers(
  tx: Transaction,
  { queue }: Pick<AccountsContext, 'queue'>,
  { id: user_id, email, session_id }: { id: string; email: string; session_id: string },
  now: Date,
): Promise<void> {
  const count = await endSessions(tx, { user_id, except: session_id }, 'signed out elsewhere', now)
  if (count === 0) return
  await audit(tx, { user_id, event: 'other_sessions_ended', detail: { count } }, now)
  await queue.enqueue(tx, accountMailJob, { kind: 'sessions_ended', email })
}
