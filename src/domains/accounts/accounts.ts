// An account is a user, its profile and its roles, which are written in one transaction.
import type { Role } from '#contract/accounts/accounts.ts'
import { users, audit_log, factorTypes, profiles, type UserMetadata, user_roles } from '#tables/accounts.ts'
import { and, eq, getTableColumns, inArray, isNotNull, isNull, not, or, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { accountRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'
import { noAddressChange } from './pending-address.ts'

const factor = z.object({
  id: z.string(),
  friendly_name: z.string().nullable(),
  factor_type: z.enum(factorTypes),
  status: z.enum(['unverified', 'verified']),
  created_at: z.string(),
  updated_at: z.string(),
})
type Factor = z.output<typeof factor>
const factorList = z.array(factor)

export type Account = typeof users.$inferSelect & { factors: Factor[] }

// Written out: drizzle leaves table names away in a query of one table, and the inner table has an id too.
const factors = sql`(
  select coalesce(json_agg(json_build_object('id', id, 'friendly_name', friendly_name, 'factor_type', factor_type,
    'status', status, 'created_at', created_at, 'updated_at', updated_at) order by created_at), '[]')
  from auth.mfa_factors where user_id = "users"."id")`.mapWith((value) => factorList.parse(value))

export const isAddress = (email: unknown) => sql`lower(${users.email}) = ${email}`

export function prepareAccountQueries(db: Db) {
  const select = () => db.select({ ...getTableColumns(users), factors }).from(users)
  const byEmail = select()
    .where(isAddress(sql.placeholder('email')))
    .prepare('auth_account_by_email')
  const byId = select()
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('auth_account_by_id')
  return {
    findByEmail: async (email: string): Promise<Account | undefined> => (await byEmail.execute({ email }))[0],
    async getById(id: string): Promise<Account> {
      const [account] = await byId.execute({ id })
      if (!account) throw accountProblem('auth.session_not_found')
      return account
    },
  }
}

export async function lockUser(tx: Transaction, which: SQL) {
  const [user] = await tx.select().from(users).where(which).for('update')
  return user
}

type NewUser = {
  id?: string
  email: string
  password_hash: string | null
  password_unproven_since?: Date | null
  user_metadata: UserMetadata
  email_confirmed_at: Date | null
  now: Date
}

export async function insertAccount(
  tx: Transaction,
  { id = uuidv7(), now, ...user }: NewUser,
  role: Role = 'user',
): Promise<string | undefined> {
  const times = { created_at: now, updated_at: now }
  const [inserted] = await tx
    .insert(users)
    .values({ id, ...user, ...times })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (!inserted) return undefined
  const { email, user_metadata } = user
  const { display_name = null } = user_metadata
  await tx.insert(profiles).values({ user_id: id, email, display_name, created_at: now })
  await grantRole(tx, id, role)
  return id
}

export async function hasRole(db: Db | Transaction, user_id: string, role: Role): Promise<boolean> {
  return (await db.$count(user_roles, and(eq(user_roles.user_id, user_id), eq(user_roles.role, role)))) > 0
}

/** Ends a new admin's change of address: whoever asked for it before must not get an admin's account. */
export async function grantRole(tx: Transaction, user_id: string, role: Role): Promise<boolean> {
  const { rowCount } = await tx.insert(user_roles).values({ user_id, role }).onConflictDoNothing()
  if (rowCount !== 1) return false
  await updateTopRole(tx, user_id)
  if (role === 'admin') await tx.update(users).set(noAddressChange).where(eq(users.id, user_id))
  return true
}

/** Must be called after each change of the user's roles. Their alphabetical order is that of precedence: admin, moderator, user. */
export async function updateTopRole(tx: Transaction, user_id: string): Promise<void> {
  const top_role = sql`coalesce((select min(role) from user_roles where user_id = ${user_id}), 'user')`
  const isOther = sql`${profiles.top_role} <> ${top_role}`
  await tx
    .update(profiles)
    .set({ top_role })
    .where(and(eq(profiles.user_id, user_id), isOther))
}

type Change = Partial<Omit<typeof users.$inferInsert, 'id' | 'user_metadata'>> & {
  user_metadata?: UserMetadata | SQL
}

export async function updateAccount(tx: Transaction, id: string, change: Change, now: Date) {
  const [user] = await tx
    .update(users)
    .set({ ...change, updated_at: now })
    .where(eq(users.id, id))
    .returning()
  if (!user) throw new Error('an account vanished while it was changed')
  const { display_name = null } = user.user_metadata
  await tx.update(profiles).set({ email: user.email, display_name }).where(eq(profiles.user_id, id))
  return user
}

/** Written out, as above. */
const hasPurchases = sql<boolean>`exists (select from purchases where purchases.user_id = "users"."id")`

export async function hasBought(tx: Transaction, user_id: string): Promise<boolean> {
  return (await tx.$count(users, and(eq(users.id, user_id), hasPurchases))) > 0
}

/** Nobody has used the account: all that it has was given to it. */
export async function hasOnlyGifts(
  tx: Transaction,
  { id, password_hash, last_sign_in_at }: typeof users.$inferSelect,
): Promise<boolean> {
  if (password_hash || last_sign_in_at) return false
  const { rows } = await tx.execute(sql`
    select from purchases b where b.user_id = ${id} and b.gift_of is null and not b.is_given limit 1`)
  return rows.length === 0
}

/** Takes a user_id. A payment without an account has made such an account, and nobody has signed in to it since. */
export const isGuestAccount = (user_id: SQL): SQL<boolean> =>
  sql`exists (select from auth.users u where u.id = ${user_id} and u.email_confirmed_at is null)`

/** True for a guest's account, too: its owner signs in with a code from an email. */
export const hasNoPassword = (user_id: SQL): SQL<boolean> =>
  sql`exists (select from auth.users u where u.id = ${user_id}
    and (u.email_confirmed_at is null or u.password_hash is null))`

/** An account that was never confirmed does not block its address for the owner of the mailbox, unless it has purchases. */
export async function isTaken(tx: Transaction, email: string): Promise<boolean> {
  const hasOwner = or(isNotNull(users.email_confirmed_at), hasPurchases)
  return (await tx.$count(users, and(isAddress(email), hasOwner))) > 0
}

/**
 * Except accounts with purchases, which a payment with an address only has made. The rows are locked before their
 * purchases are looked for: a payment at the same moment either finds no account any more, or its purchase is found.
 */
export async function deleteUnconfirmed(tx: Transaction, which: SQL): Promise<void> {
  const isUnconfirmed = isNull(users.email_confirmed_at)
  const locked = await tx.select({ id: users.id }).from(users).where(and(isUnconfirmed, which)).for('update')
  if (locked.length === 0) return
  const isLocked = inArray(
    users.id,
    locked.map(({ id }) => id),
  )
  const deleted = await tx
    .delete(users)
    .where(and(isLocked, isUnconfirmed, not(hasPurchases)))
    .returning({ id: users.id })
  const ids = deleted.map(({ id }) => id)
  if (ids.length > 0) await tx.delete(profiles).where(inArray(profiles.user_id, ids))
}

export function isVerified(factor: Pick<Factor, 'status'>): boolean {
  return factor.status === 'verified'
}

/** Nobody waits that long: PostgreSQL's own "infinity" has no place in a Date. */
export const forGood = new Date('9999-12-31T00:00:00Z')

export function isBanned({ banned_until }: Pick<Account, 'banned_until'>, now: Date): boolean {
  return banned_until !== null && banned_until > now
}

type Audit = { user_id: string; event: string; ip?: string | null; detail?: Record<string, unknown> }

export async function audit(db: Db | Transaction, entry: Audit, now: Date): Promise<void> {
  await db.insert(audit_log).values({ id: uuidv7(), ...entry, created_at: now })
}

export const accountProblem = problems(accountRefusals)
