// Signing up, in and out, by password and by link.
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem } from '#platform/problem.ts'
import {
  accountProblem,
  noAddressChange,
  audit,
  hasRole,
  isBanned,
  type Account,
  hasBought,
  updateAccount,
} from './accounts.ts'
import { accountMailJob } from './account.emails.ts'
import type { AccountsContext } from './accounts-context.ts'
import { isCommonPassword } from './passwords.ts'
import { type Device, endSessions, isOver, openSession, type Session } from './sessions.ts'
import { recordRefusedSignIn, type Reservation } from './limits.ts'
import {
  isMailLimit,
  isSignUpDisputed,
  makeNetworkOwn,
  recordRefusedSignUp,
  recordSignUp,
} from './mail-limits.ts'
import { deviceKey, dropLinks, hashOf, takeLink, type LinkType, findCoded, type CodeType } from './links.ts'
import { comparePassword, lockProvenCaller } from './guard.ts'
import { pending_sign_ups, sessions, type UserMetadata } from '#tables/accounts.ts'
import { confirmMailbox, type Confirmed } from './address-changes.ts'

type Credentials = { email: string; password: string }

/** Whether an account exists, is confirmed or is banned is revealed only to a caller who knows its password. */
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
  // For a user who became admin later: the password could not be checked then.
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
 * Of concurrent renewals with one token, one updates the session and all get its result. A token that was renewed longer
 * ago than the leeway, or is older still, counts as stolen and ends the session.
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

// A mailed link or code proves the mailbox, so the user is signed in.

type ConsumedLink = Awaited<ReturnType<typeof takeLink>>
type SignedIn = { session: Session; account: Account }

/** Of a changed address: `waits` for the other mailbox, or no session for who has only the old one. */
type Pressed = SignedIn | { session: undefined; account: Account } | 'waits'

type Link = { types: readonly LinkType[]; token: string; device: Device }

export function pressLink(context: AccountsContext, { token, ...link }: Link): Promise<Pressed> {
  return press(context, { ...link, hash: hashOf(token), isCode: false })
}

type Code = { email: string; code: string; types: CodeType[]; device: Device }

export async function giveMailedCode(context: AccountsContext, code: Code): Promise<Pressed> {
  const { type, hash } = await findCoded(context, code)
  return press(context, { types: [type], hash, device: code.device, isCode: true })
}

type Press = { types: readonly LinkType[]; hash: Buffer; device: Device; isCode: boolean }

async function press(context: AccountsContext, { types, hash, device, isCode }: Press): Promise<Pressed> {
  const now = context.clock()
  const { user_id, effect, session } = await context.db.transaction(async (tx) => {
    const taken = await takeLink(tx, types, hash, now)
    const effect = await effects[taken.link.type](tx, taken, { now, device, context })
    if (isCode || isOfSignIn(taken.link)) await makeNetworkOwn(tx, { ...taken.link, ...device }, now)
    const user_id = taken.user.id
    if (effect === 'waits' || effect === 'changed') return { user_id, effect, session: undefined }
    return { user_id, effect, session: await openSession(tx, { user_id, method: effect, device, now }) }
  })
  if (effect === 'waits') return effect
  return { session, account: await context.accounts.getById(user_id) }
}

/** Not of a gift, which may be passed on, nor of a sign-up, which anybody begins with any address. */
function isOfSignIn({ type, code_device }: ConsumedLink['link']): boolean {
  return type === 'recovery' || (type === 'magiclink' && code_device !== null)
}

const effects = {
  signup: confirm,
  magiclink: recover,
  recovery: recover,
  email_change_current: changeEmail,
  email_change_new: changeEmail,
}

type Circumstances = { now: Date; device: Device; context: AccountsContext }

/**
 * A sign-up with the address of somebody who has bought would get the purchases, were its link pressed by mistake: its
 * password and name count only in the browser that signed up. So they do where another browser was refused a sign-up with
 * this address and told of this link: its owner would take the password of whoever was first.
 */
async function confirm(
  tx: Transaction,
  { link, user }: ConsumedLink,
  { now, device }: Circumstances,
): Promise<Confirmed> {
  const own = deviceKey(device)
  const isOfBrowser = own !== '' && link.code_device === own
  const isOwner = async () =>
    !(await hasBought(tx, user.id)) && !(await isSignUpDisputed(tx, link.email, now))
  const chosen = isOfBrowser || (await isOwner()) ? link : undefined
  const { password_hash = null, user_metadata } = chosen ?? {}
  const change = { password_hash, user_metadata: user_metadata ?? {}, email_confirmed_at: now }
  await updateAccount(tx, user.id, change, now)
  await dropLinks(tx, user.id, ['signup', 'magiclink'])
  return 'otp'
}

/** Also confirms an address, and then forgets the password and name chosen at the sign-up. */
async function recover(
  tx: Transaction,
  { link, user }: ConsumedLink,
  { now }: Circumstances,
): Promise<Confirmed> {
  if (!user.email_confirmed_at)
    await updateAccount(tx, user.id, { password_hash: null, user_metadata: {}, email_confirmed_at: now }, now)
  await dropLinks(tx, user.id, ['signup', 'magiclink', 'recovery'])
  return link.type === 'recovery' ? 'recovery' : 'otp'
}

function changeEmail(
  tx: Transaction,
  taken: ConsumedLink,
  { now, device, context }: Circumstances,
): Promise<Confirmed> {
  return confirmMailbox(tx, context, { taken, device }, now)
}
