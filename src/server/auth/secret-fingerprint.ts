// Which secret the database belongs to. Two processes with different ones would refuse each other's sessions, and what
// one has sealed the other could not open.
import type { Db } from '../db/client.ts'
import { secret_fingerprint } from '../db/schema/auth.ts'
import type { Secret } from '../secret.ts'

/** Derived one way, for nothing but this: it opens and signs nothing. */
export function fingerprintOf(secret: Secret): Buffer {
  return secret.key('fingerprint')
}

/**
 * Of several secrets that come first at once, one is taken. Throws, in words for the person who starts the shop, when
 * the database belongs to another.
 */
export async function claimSecret(db: Db, secret: Secret): Promise<void> {
  const fingerprint = fingerprintOf(secret)
  const found = await findFingerprint(db)
  if (!found) await db.insert(secret_fingerprint).values({ fingerprint }).onConflictDoNothing()
  const owner = found ?? (await findFingerprint(db))
  if (owner?.equals(fingerprint)) return
  throw new Error(
    'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "npm run admin -- new-secret".',
  )
}

export async function findFingerprint(db: Pick<Db, 'select'>): Promise<Buffer | undefined> {
  const [row] = await db.select().from(secret_fingerprint)
  return row?.fingerprint
}
