// Creates accounts: by a sign-up, by an admin, unconfirmed by a purchase or a gift, and the one that ADMIN_EMAIL names.
import { eq } from 'drizzle-orm'
import type { Role } from '#contract/accounts/accounts.ts'
import type { Transaction } from '#platform/db/client.ts'
import {
  accountProblem,
  audit,
  deleteUnconfirmed,
  grantRole,
  hasRole,
  isAddress,
  insertAccount,
  lockUser,
  updateAccount,
} from './accounts.ts'
import { profiles, users } from '#tables/accounts.ts'
import { requireUncommon } from './passwords.ts'
import type { AccountsContext } from './accounts-context.ts'
import { endUnprovenPassword } from './admin-rights.ts'

export type NewAccount = {
  email: string
  password: string
  display_name?: string | undefined
  role: Role
  isOwnPassword?: boolean
  /** Who makes it, where it is no account: the setup link or the shell. */
  by?: string | undefined
}

/** Both run in the transaction that makes the account. */
export type AccountHooks = {
  before?: ((tx: Transaction) => Promise<void>) | undefined
  after?: ((tx: Transaction, user_id: string) => Promise<void>) | undefined
}

export async function createAccount(
  { db, clock, passwords }: AccountsContext,
  { email, password, display_name, role, isOwnPassword = false, by }: NewAccount,
  { before, after }: AccountHooks = {},
): Promise<{ user_id: string }> {
  if (role === 'admin') await requireUncommon(password)
  const password_hash = await passwords.hash(password)
  const now = clock()
  return db.transaction(async (tx) => {
    await before?.(tx)
    await deleteUnconfirmed(tx, isAddress(email))
    const user_metadata = display_name ? { display_name } : {}
    const password_unproven_since = isOwnPassword ? null : now
    const user = {
      email,
      password_hash,
      password_unproven_since,
      user_metadata,
      email_confirmed_at: now,
      now,
    }
    const user_id = (await insertAccount(tx, user, role)) ?? (await adoptUnconfirmed(tx, user, role))
    if (!user_id) throw accountProblem('accounts.email_taken')
    await audit(tx, { user_id, event: 'account_made_by_hand', detail: { role, by } }, now)
    await after?.(tx, user_id)
    return { user_id }
  })
}

type NewValues = Pick<
  typeof users.$inferSelect,
  'email' | 'password_hash' | 'password_unproven_since' | 'user_metadata'
> & { now: Date }

/**
 * An account that was never confirmed and has purchases stays, and becomes as a new one: what sign-ups with its address
 * have chosen ends. Undefined where the account is confirmed.
 */
async function adoptUnconfirmed(tx: Transaction, { email, now, ...values }: NewValues, role: Role = 'user') {
  // One by one: the caller's values have an id of their own, too.
  const { password_hash, password_unproven_since, user_metadata } = values
  const user = await lockUser(tx, isAddress(email))
  if (!user || user.email_confirmed_at) return undefined
  await endUnprovenPassword(tx, user, now)
  await updateAccount(tx, user.id, { password_hash, password_unproven_since, user_metadata }, now)
  await grantRole(tx, user.id, role)
  return user.id
}

/**
 * Serves a payment with an address only. An account that is there stays as it is, except that a name which nobody has
 * confirmed is not shown: receipts greet by it, and anybody may have signed up with the address. A new account is
 * unconfirmed and without a password until its owner uses a mailed link or code.
 */
export async function findOrAddUnconfirmed(
  tx: Transaction,
  email: string,
  now: Date,
): Promise<{ user_id: string }> {
  const user = await lockUser(tx, isAddress(email))
  if (user) {
    if (!user.email_confirmed_at)
      await tx.update(profiles).set({ display_name: null }).where(eq(profiles.user_id, user.id))
    return { user_id: user.id }
  }
  const account = await insertAccount(tx, {
    email,
    password_hash: null,
    user_metadata: {},
    email_confirmed_at: null,
    now,
  })
  // A sign-up was faster.
  return account ? { user_id: account } : findOrAddUnconfirmed(tx, email, now)
}

/** Serves gifts, and buyers whom a restored backup does not have. A new account is verified and has no password. */
export async function findOrAddAccount(
  tx: Transaction,
  { id, email, display_name }: { id: string; email: string; display_name?: string | undefined },
  now: Date,
): Promise<{ user_id: string; isNew: boolean }> {
  if ((await tx.$count(users, eq(users.id, id))) > 0) return { user_id: id, isNew: false }
  await deleteUnconfirmed(tx, isAddress(email))
  const user_metadata = display_name ? { display_name } : {}
  const user = { id, email, password_hash: null, user_metadata, email_confirmed_at: now, now }
  const account = await insertAccount(tx, user)
  const values = { ...user, password_unproven_since: null }
  const user_id =
    account ?? (await adoptUnconfirmed(tx, values)) ?? (await lockUser(tx, isAddress(email)))?.id
  if (!user_id) throw new Error('the account vanished while it was made')
  return { user_id, isNew: account !== undefined }
}

/**
 * `password` is for an account that is new, has none, was never verified, or whose password ends with the grant. One that
 * its owner has chosen stays, so a restart undoes no change. Several processes may call it at once.
 */
export async function ensureAdmin(context: AccountsContext, email: string, password?: string): Promise<void> {
  const { db, clock, passwords, accounts } = context
  const existing = await accounts.findByEmail(email)
  const isAdmin = existing !== undefined && (await hasRole(db, existing.id, 'admin'))
  const isReady = existing?.email_confirmed_at && (existing.password_hash || !password)
  if (isReady && isAdmin) return
  const isNeeded = !isReady || existing.password_unproven_since !== null
  if (password && isNeeded) await requireUncommon(password)
  const password_hash = password && isNeeded ? await passwords.hash(password) : null
  const now = clock()
  await db.transaction(async (tx) => {
    const user = { email, password_hash, user_metadata: {}, email_confirmed_at: now, now }
    const user_id = (await insertAccount(tx, user)) ?? (await adoptAdmin(tx, email, password_hash, now))
    if (await grantRole(tx, user_id, 'admin')) {
      await audit(tx, { user_id, event: 'role_granted', detail: { role: 'admin', ...bySettings } }, now)
    }
  })
}

const bySettings = { by: 'settings' }

/** Makes an account that is there fit for an admin: an unproven password ends, and one that was never there is set. */
async function adoptAdmin(
  tx: Transaction,
  email: string,
  password_hash: string | null,
  now: Date,
): Promise<string> {
  const locked = await lockUser(tx, isAddress(email))
  if (!locked) throw new Error('the admin account vanished while it was made')
  const isReady = locked.email_confirmed_at && (await hasRole(tx, locked.id, 'admin'))
  const user = isReady ? locked : await endUnprovenPassword(tx, locked, now)
  if (password_hash !== null && user.password_hash === null) {
    await audit(tx, { user_id: user.id, event: 'password_changed', detail: bySettings }, now)
    await updateAccount(tx, user.id, { password_hash }, now)
  }
  return user.id
}
