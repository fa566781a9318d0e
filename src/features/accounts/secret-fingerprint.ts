// Which secret the database belongs to. Two processes with different ones would refuse each other's sessions, and what
// one has sealed the other could not open.
import type { Db } from '#platform/db/client.ts'
import { mfa_factors, secret_fingerprint, signing_keys } from './schema.ts'
import type { Secret } from '#platform/secret.ts'
import { unseal } from './seal.ts'

/** Derived one way, for nothing but this: it opens and signs nothing. */
export function fingerprintOf(secret: Secret): Buffer {
  return secret.key('fingerprint')
}

/**
 * Of several secrets that come first at once, one is taken; an older database, which has no fingerprint yet, takes one
 * that opens what is sealed in it. Throws, in words for the person who starts the shop, when
 * the database belongs to another.
 */
export async function claimSecret(db: Db, secret: Secret): Promise<void> {
  const fingerprint = fingerprintOf(secret)
  const found = await findFingerprint(db)
  if (!found && (await mayClaim(db, secret))) {
    await db.insert(secret_fingerprint).values({ fingerprint }).onConflictDoNothing()
  }
  const owner = found ?? (await findFingerprint(db))
  if (owner?.equals(fingerprint)) return
  throw new Error(
    'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "lectern admin new-secret".',
  )
}

async function mayClaim(db: Db, secret: Secret): Promise<boolean> {
  const keys = await db.select({ sealed: signing_keys.private_jwk }).from(signing_keys)
  const factors = await db.select({ sealed: mfa_factors.secret }).from(mfa_factors)
  const [sealKey, factorKey] = [secret.key('signing keys'), secret.key('second factors')]
  if (keys.length + factors.length === 0) return true
  return (
    keys.some(({ sealed }) => opens(sealKey, sealed)) ||
    factors.some(({ sealed }) => opens(factorKey, sealed))
  )
}

function opens(key: Buffer, sealed: Buffer): boolean {
  try {
    unseal(key, sealed)
    return true
  } catch {
    return false
  }
}

export async function findFingerprint(db: Pick<Db, 'select'>): Promise<Buffer | undefined> {
  const [row] = await db.select().from(secret_fingerprint)
  return row?.fingerprint
}
