import { createHash } from 'node:crypto'
import { and, desc, eq, gt, lt, ne, notInArray } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isAddress } from './accounts.ts'
import { known_devices, users } from '#tables/accounts.ts'

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
  const [found] = await db
    .select({ user_id: users.id })
    .from(known_devices)
    .innerJoin(users, eq(users.id, known_devices.user_id))
    .where(
      and(isAddress(email), eq(known_devices.hash, id_hash), gt(known_devices.last_seen_at, expiry(now))),
    )
  return found && `${found.user_id} ${id_hash.toString('base64url')}`
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

/** For a password change or a first factor: an attacker who knew the password may have made other devices known. */
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
  return new Date(now.getTime() - rememberedDays * 86_400_000)
}
