// Signing in with a password, and signing up for one.
import { v7 as uuidv7 } from 'uuid'
import { pending_sign_ups, type UserMetadata } from './schema.ts'
import { Problem } from '../../problems.ts'
import { accountMailJob } from './account-mail.ts'
import { hasRole, isBanned, type Account } from './accounts.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { Reservation } from './limits.ts'
import type { Device } from './device.ts'
import type { AccountsContext } from './accounts-context.ts'
import { recordRefusedSignIn } from './refused-sign-ins.ts'
import { openSession, type Session } from './sessions.ts'

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
    throw new Problem('auth.invalid_credentials')
  }
  await attempt.giveBack()
  await limits.session(account, device)
  const now = clock()
  if (isBanned(account, now)) throw new Problem('auth.user_banned')
  if (!account.email_confirmed_at) throw new Problem('auth.email_not_confirmed')
  // For a user who became admin later: the password could not be checked then.
  if ((await isCommonPassword(password)) && (await hasRole(db, account.id, 'admin'))) {
    throw new Problem('auth.common_password')
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
    await attempt.giveBack()
    throw error
  }
}

type SignUp = Credentials & { user_metadata: UserMetadata; path: string | undefined }

/** The same answer and the same work whether or not the address has an account: the mail job finds out. */
export async function signUp(
  { db, clock, limits, passwords, queue }: AccountsContext,
  { email, password, user_metadata, path }: SignUp,
  device: Device,
): Promise<Account> {
  await limits.signUp(device.network)
  await limits.mail(email, device)
  const password_hash = await passwords.hash(password)
  const id = uuidv7()
  const now = clock()
  await db.transaction(async (tx) => {
    await tx.insert(pending_sign_ups).values({ id, password_hash, user_metadata, created_at: now })
    await queue.enqueue(tx, accountMailJob, { kind: 'sign_up', id, email, path })
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
    new_email: null,
    new_email_asked_at: null,
    created_at: now,
    updated_at: now,
    factors: [],
  }
}
