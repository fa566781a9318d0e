// What is left of an erased account where it has purchases: a row that nobody can sign in to.
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Transaction, Db } from '#platform/db/client.ts'
import { noAddressChange, forGood, hasBought, hasRole, insertAccount, updateAccount } from './accounts.ts'
import { profiles, users } from '#tables/accounts.ts'
import { deletedWithAccount } from '#tables/personal-data.ts'
import { lockAdmins } from './admin-rights.ts'
import { endSessions } from './sessions.ts'
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'
import { unlessMissing } from '#platform/errors.ts'
import type { Config } from '../../config.ts'
import { erased_ids, erasures } from '#tables/accounts.ts'

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

/** For a purchase of an erased account that is made again after a restore. */
export async function findOrAddErased(tx: Transaction, id: string, now: Date): Promise<string> {
  const account = { id, email: emailOf(id), ...nobody, ...named, now }
  const user_id = (await insertAccount(tx, account)) ?? id
  await tx.update(profiles).set({ email: '' }).where(eq(profiles.user_id, user_id))
  return user_id
}

// Hashes of what was erased, in the database, in the data folder and in the places of backups: a backup from before an
// erasure has the account, and its restore erases it again. The ids are random, so that nobody guesses them by the hash.

type Place = Pick<Config, 'dataDir'>

const fileOf = ({ dataDir }: Place) => join(dataDir, 'erased-ids.txt')

const hashOf = (id: string) => createHash('sha256').update(id).digest()

export async function insertErasedIds(tx: Transaction, ids: readonly string[]): Promise<void> {
  await insertHashes(
    tx,
    ids.map((id) => hashOf(id).toString('hex')),
  )
}

export async function insertHashes(db: Db | Transaction, hashes: readonly string[]): Promise<void> {
  const values = hashes.map((hash) => ({ hash: Buffer.from(hash, 'hex') }))
  if (values.length > 0) await db.insert(erased_ids).values(values).onConflictDoNothing()
}

export async function isErasedId(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.$count(erased_ids, sql`${erased_ids.hash} = ${hashOf(id)}`)) > 0
}

/** Flushed to the disk: what is committed afterwards is never without it. */
export async function appendErasedIds(place: Place, ids: readonly string[]): Promise<void> {
  const file = await open(fileOf(place), 'a', 0o600)
  try {
    await file.writeFile(ids.map((id) => `${hashOf(id).toString('hex')}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function readErasedFile(place: Place): Promise<string[]> {
  return parseHashes((await readFile(fileOf(place), 'utf8').catch(unlessMissing)) ?? '')
}

export async function listHashes(db: Db): Promise<string[]> {
  const rows = await queryAll(
    db,
    z.object({ hash: z.string() }),
    sql`select encode(hash, 'hex') as hash from erased_ids order by hash`,
  )
  return rows.map(({ hash }) => hash)
}

/** The last line of a file may be cut off, where the machine failed. */
export function parseHashes(content: string): string[] {
  return content.split('\n').filter((line) => /^[\da-f]{64}$/.test(line))
}
