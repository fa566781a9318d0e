// The remains of an erased account that has purchases: a row that nobody can sign in to.
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '#platform/db/client.ts'
import { noAddressChange } from './pending-address.ts'
import { forGood, hasBought, hasRole, insertAccount, updateAccount } from './accounts.ts'
import { profiles, users } from '#tables/accounts.ts'
import { deletedWithAccount } from '#tables/personal-data.ts'
import { lockAdmins } from './admin-rights.ts'
import { endSessions } from './sessions.ts'
import { erasures } from '#tables/accounts.ts'

/** Shown where the name of a buyer was. The admin area is in English. */
export const erasedName = 'Erased account'

const domain = '@erased.invalid'

/** No mail goes to such an address: the domain ".invalid" does not exist (RFC 2606). */
const emailOf = (user_id: string) => `${user_id}${domain}`

export function isErased({ email }: { email: string }): boolean {
  return email.endsWith(domain)
}

/** `email` in lower case. `purchase_ids`: an array of those that are theirs. */
export type Erased = { user_id: string; email: string; purchase_ids: SQL }

export const isOfErased = (column: SQL | PgColumn, { email }: Erased) => sql`lower(${column}) = ${email}`

const nobody = { password_hash: null, email_confirmed_at: null, banned_until: forGood }
const named = { user_metadata: { display_name: erasedName } }

/** The address is free from here on; the profile has it until the erasure. False for an admin, who keeps the account. */
export async function endAccess(tx: Transaction, user_id: string, now: Date): Promise<boolean> {
  await lockAdmins(tx)
  if (await hasRole(tx, user_id, 'admin')) return false
  await endSessions(tx, { user_id }, 'account to be erased', now)
  await updateAccount(tx, user_id, { banned_until: forGood }, now)
  await tx
    .update(users)
    .set({ email: emailOf(user_id) })
    .where(eq(users.id, user_id))
  return true
}

/** False where one waits: its day stays. */
export async function insertErasure(
  tx: Transaction,
  erasure: Pick<typeof erasures.$inferInsert, 'user_id' | 'asked_at' | 'due_at'>,
): Promise<boolean> {
  const { rowCount } = await tx.insert(erasures).values(erasure).onConflictDoNothing()
  return Boolean(rowCount)
}

/** Signing in has ended with `endAccess`. */
export async function setErasureBegun(tx: Transaction, user_id: string, began_at: Date): Promise<void> {
  await tx.update(erasures).set({ began_at }).where(eq(erasures.user_id, user_id))
}

/** False where there is none. */
export async function deleteErasure(tx: Transaction, user_id: string): Promise<boolean> {
  const { rowCount } = await tx.delete(erasures).where(eq(erasures.user_id, user_id))
  return Boolean(rowCount)
}

/** False where it has begun, or there is none. */
export async function deleteUnbegunErasure(tx: Transaction, user_id: string): Promise<boolean> {
  const isUnbegun = and(eq(erasures.user_id, user_id), isNull(erasures.began_at))
  const { rowCount } = await tx.delete(erasures).where(isUnbegun)
  return Boolean(rowCount)
}

export async function eraseUser(tx: Transaction, user_id: string, now: Date): Promise<void> {
  for (const table of deletedWithAccount) await tx.delete(table).where(eq(table.user_id, user_id))
  if (!(await hasBought(tx, user_id))) {
    await tx.delete(users).where(eq(users.id, user_id))
    await tx.delete(profiles).where(eq(profiles.user_id, user_id))
    return
  }
  const forgotten = { password_unproven_since: null, last_sign_in_at: null }
  const email = emailOf(user_id)
  await updateAccount(tx, user_id, { ...nobody, ...named, ...forgotten, ...noAddressChange, email }, now)
  await tx.update(profiles).set({ email: '' }).where(eq(profiles.user_id, user_id))
}

export const eraseSecurityEvents = (erased: Erased) => sql`
  delete from auth.audit_log where user_id = ${erased.user_id} or ${isOfErased(sql`email`, erased)}`

/** Serves a purchase of an erased account that is made again after a restore. */
export async function findOrAddErased(tx: Transaction, id: string, now: Date): Promise<string> {
  const account = { id, email: emailOf(id), ...nobody, ...named, now }
  const user_id = (await insertAccount(tx, account)) ?? id
  await tx.update(profiles).set({ email: '' }).where(eq(profiles.user_id, user_id))
  return user_id
}
