// What is left of an erased account where it has purchases: a row that nobody can sign in to.
import { eq } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { noAddressChange } from './address-change-state.ts'
import { address_changes } from '#tables/address-changes.ts'
import { lockAdmins } from './admin-rights.ts'
import { forGood, hasBought, hasRole, insertAccount, updateAccount } from './accounts.ts'
import { endSessions } from './sessions.ts'
import {
  known_devices,
  mfa_factors,
  one_time_tokens,
  profiles,
  purchase_passwords,
  sessions,
  users,
  wrong_codes,
} from '#tables/accounts.ts'

/** Shown where the name of a buyer was. The admin area is in English. */
export const erasedName = 'Erased account'

const domain = '@erased.invalid'

/** No mail goes to such an address: the domain ".invalid" does not exist (RFC 2606). */
const emailOf = (user_id: string) => `${user_id}${domain}`

export function isErased({ email }: { email: string }): boolean {
  return email.endsWith(domain)
}

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

export async function eraseUser(tx: Transaction, user_id: string, now: Date): Promise<void> {
  for (const table of [
    sessions,
    known_devices,
    address_changes,
    one_time_tokens,
    purchase_passwords,
    mfa_factors,
    wrong_codes,
  ])
    await tx.delete(table).where(eq(table.user_id, user_id))
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

/** For a purchase of an erased account that is made again after a restore. */
export async function findOrAddErased(tx: Transaction, id: string, now: Date): Promise<string> {
  const account = { id, email: emailOf(id), ...nobody, ...named, now }
  const user_id = (await insertAccount(tx, account)) ?? id
  await tx.update(profiles).set({ email: '' }).where(eq(profiles.user_id, user_id))
  return user_id
}
