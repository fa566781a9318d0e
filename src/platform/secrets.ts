// The fingerprint of the shop’s secret in the database, and the seal that the secret makes.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Db, Transaction } from './db/client.ts'
import { findSecret, type Secret } from './secret.ts'
import { secret_fingerprint } from '#tables/platform.ts'

/** Nobody replaces the secret until the transaction ends. Throws where one did. To be called before other rows are locked. */
export async function lockSecret(tx: Transaction, secret: Secret): Promise<void> {
  requireSecret([secret], (await lockFingerprint(tx, 'share'))?.fingerprint)
}

export async function findFingerprint(db: Pick<Db, 'select'>): Promise<Buffer | undefined> {
  const [row] = await db.select({ fingerprint: secret_fingerprint.fingerprint }).from(secret_fingerprint)
  return row?.fingerprint
}

/** The first one stays. */
export async function insertFingerprint(db: Db, { fingerprint }: Secret): Promise<void> {
  await db.insert(secret_fingerprint).values({ fingerprint }).onConflictDoNothing()
}

export async function saveFingerprint(tx: Transaction, { fingerprint }: Secret, now: Date): Promise<void> {
  const set = { fingerprint, set_at: now }
  await tx
    .insert(secret_fingerprint)
    .values(set)
    .onConflictDoUpdate({ target: secret_fingerprint.is_only, set })
}

export function requireSecret(known: readonly Secret[], fingerprint: Buffer | undefined): Secret {
  const secret = fingerprint && findSecret(known, fingerprint)
  if (secret) return secret
  throw new Error(
    'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "lectern admin new-secret".',
  )
}

export async function lockFingerprint(tx: Transaction, strength: 'share' | 'update') {
  const [row] = await tx.select().from(secret_fingerprint).for(strength)
  return row
}

const ivBytes = 12
const tagBytes = 16

export function seal(key: Buffer, content: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

export function unseal(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  const content = decipher.update(sealed.subarray(ivBytes + tagBytes))
  return Buffer.concat([content, decipher.final()]).toString('utf8')
}
