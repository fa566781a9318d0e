// Devices and sessions: how long a session lasts, and which proofs it has.
import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, lt, ne, notInArray, isNull, lte, or, sql } from 'drizzle-orm'
import { dayMs } from '#contract/durations.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isAddress, accountProblem } from './accounts.ts'
import { known_devices, users, mfa_factors, sessions } from '#tables/accounts.ts'
import { v7 as uuidv7 } from 'uuid'

export type Device = { ip: string; network: string; user_agent: string | null; id_hash: Buffer | undefined }

/** Sessions live at most 90 days, so that every returning user signs in again within this. */
export const rememberedDays = 180
const maxDevices = 20

/** 128 bits or more, as base64url or a UUID; what else comes under the name is no id. */
const deviceId = /^[\w-]{22,64}$/

export function hashDeviceId(id: string | undefined): Buffer | undefined {
  return id && deviceId.test(id) ? createHash('sha256').update(id).digest() : undefined
}

export async function findKnownDevice(
  db: Db,
  email: string,
  { id_hash }: Device,
  now: Date,
): Promise<string | undefined> {
  if (!id_hash) return undefined
  const [row] = await db
    .select({ user_id: users.id })
    .from(known_devices)
    .innerJoin(users, eq(users.id, known_devices.user_id))
    .where(
      and(isAddress(email), eq(known_devices.hash, id_hash), gt(known_devices.last_seen_at, expiry(now))),
    )
  return row && `${row.user_id} ${id_hash.toString('base64url')}`
}

export async function isKnownDevice(
  tx: Transaction,
  user_id: string,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  const isOwn = and(eq(known_devices.user_id, user_id), eq(known_devices.hash, hash))
  return (await tx.$count(known_devices, and(isOwn, gt(known_devices.last_seen_at, expiry(now))))) > 0
}

export async function rememberDevice(
  tx: Transaction,
  user_id: string,
  { id_hash }: Device,
  now: Date,
): Promise<void> {
  if (!id_hash) return
  await tx
    .insert(known_devices)
    .values({ user_id, hash: id_hash, last_seen_at: now })
    .onConflictDoUpdate({
      target: [known_devices.user_id, known_devices.hash],
      set: { last_seen_at: now },
    })
  const isOwn = eq(known_devices.user_id, user_id)
  const newest = tx
    .select({ hash: known_devices.hash })
    .from(known_devices)
    .where(isOwn)
    .orderBy(desc(known_devices.last_seen_at))
    .limit(maxDevices)
  await tx.delete(known_devices).where(and(isOwn, notInArray(known_devices.hash, newest)))
}

/** Must be called at a password change or a first factor: whoever knew the password may have made other devices known. */
export async function deleteOtherDevices(
  tx: Transaction,
  user_id: string,
  { id_hash }: Partial<Pick<Device, 'id_hash'>>,
): Promise<void> {
  const isOther = id_hash && ne(known_devices.hash, id_hash)
  await tx.delete(known_devices).where(and(eq(known_devices.user_id, user_id), isOther))
}

export async function deleteOldDevices(db: Db, now: Date): Promise<void> {
  await db.delete(known_devices).where(lt(known_devices.last_seen_at, expiry(now)))
}

function expiry(now: Date): Date {
  return new Date(now.getTime() - rememberedDays * dayMs)
}

export const idleDays = 30
export const maxDays = 90

export type Session = Pick<
  typeof sessions.$inferSelect,
  'id' | 'user_id' | 'counter' | 'salt' | 'aal' | 'amr'
>

type Method = 'password' | 'otp' | 'recovery' | 'mfa/webauthn'
export type FactorMethod = 'totp' | 'mfa/webauthn' | 'mfa/recovery_code'

type Opening = {
  user_id: string
  method: Method
  device: Device
  now: Date
  password_hash?: string
}

/** The statement that locks the user's row checks password and ban again: what ends sessions concurrently misses none. */
export async function openSession(
  tx: Transaction,
  { user_id, method, device, now, password_hash }: Opening,
): Promise<Session> {
  const isUnchanged = password_hash === undefined ? undefined : eq(users.password_hash, password_hash)
  const isEnabled = or(isNull(users.banned_until), lte(users.banned_until, now))
  const seen = await tx
    .update(users)
    .set({ last_sign_in_at: now })
    .where(and(eq(users.id, user_id), isUnchanged, isEnabled))
    .returning({ id: users.id })
  if (seen.length === 0) throw accountProblem('auth.invalid_credentials')
  const [session] = await tx
    .insert(sessions)
    .values({
      id: uuidv7(),
      user_id,
      salt: randomBytes(16),
      amr: [{ method, timestamp: Math.floor(now.getTime() / 1000) }],
      proved_at: now,
      ...(method === 'mfa/webauthn' && { aal: 'aal2', factor_proved_at: now }),
      ip: device.ip,
      user_agent: device.user_agent,
      created_at: now,
      refreshed_at: now,
      not_after: new Date(now.getTime() + maxDays * dayMs),
    })
    .returning()
  if (!session) throw new Error('an insert returned no row')
  const isVerified = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.status, 'verified'))
  // The code of a factor makes the device known where there is one (factors.ts): not the password alone.
  if ((await tx.$count(mfa_factors, isVerified)) === 0) await rememberDevice(tx, user_id, device, now)
  return session
}

type Which = { user_id: string; only?: string; except?: string; aal?: 'aal1' }

export async function endSessions(
  db: Db | Transaction,
  { user_id, only, except, aal }: Which,
  revoked_reason: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await db
    .update(sessions)
    .set({ revoked_at: now, revoked_reason })
    .where(
      and(
        eq(sessions.user_id, user_id),
        isNull(sessions.revoked_at),
        only ? eq(sessions.id, only) : undefined,
        except ? ne(sessions.id, except) : undefined,
        aal ? eq(sessions.aal, aal) : undefined,
      ),
    )
  return rowCount ?? 0
}

type Raise = { id: string; method: FactorMethod; isProof: boolean; keepsToken?: boolean }

/**
 * A raised session gets a new refresh token, unless the response has no place for it. Enrolling (`isProof` false) proves
 * nothing. A passkey, which has verified its user, proves as much as a password and a code.
 */
export async function raiseSession(
  tx: Transaction,
  { id, method, isProof, keepsToken = false }: Raise,
  now: Date,
): Promise<Session> {
  const proof = JSON.stringify([{ method, timestamp: Math.floor(now.getTime() / 1000) }])
  const [session] = await tx
    .update(sessions)
    .set({
      aal: 'aal2',
      amr: sql`${sessions.amr} || ${proof}::jsonb`,
      ...(!keepsToken && { counter: sql`${sessions.counter} + 1`, refreshed_at: now }),
      ...(isProof && { factor_proved_at: now }),
      ...(isProof && method === 'mfa/webauthn' && { proved_at: now }),
    })
    .where(and(eq(sessions.id, id), isNull(sessions.revoked_at)))
    .returning()
  if (!session) throw accountProblem('auth.session_not_found')
  return session
}

/** A session that was not renewed since then has ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - idleDays * dayMs)

export function isOver({ not_after, refreshed_at }: typeof sessions.$inferSelect, now: Date): boolean {
  return not_after <= now || refreshed_at <= idleSince(now)
}
