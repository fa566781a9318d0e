// Which secret the database belongs to: it seals, and what another has sealed no process could open.
import { findSecret } from '#platform/known-secrets.ts'
import type { Secret } from '#platform/secret.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { mfa_factors } from './schema.ts'
import { secret_fingerprint, signing_keys } from './secrets-schema.ts'
import { unseal } from './seal.ts'

/**
 * The known secret that is in force. Of several that come first at once, one is taken; an older database, which has no
 * fingerprint yet, takes one that opens what is sealed in it. Throws an Error in plain words when the database belongs to
 * another.
 */
export async function claimSecret(db: Db, known: readonly Secret[]): Promise<Secret> {
  if (!(await findFingerprint(db))) {
    const secret = await findClaimant(db, known)
    if (secret) {
      const { fingerprint } = secret
      await db.insert(secret_fingerprint).values({ fingerprint }).onConflictDoNothing()
    }
  }
  return requireSecret(known, await findFingerprint(db))
}

export async function findFingerprint(db: Pick<Db, 'select'>): Promise<Buffer | undefined> {
  const [row] = await db.select({ fingerprint: secret_fingerprint.fingerprint }).from(secret_fingerprint)
  return row?.fingerprint
}

/** Throws an Error in plain words when it is none of these. */
export function requireSecret(known: readonly Secret[], fingerprint: Buffer | undefined): Secret {
  const secret = fingerprint && findSecret(known, fingerprint)
  if (secret) return secret
  throw new Error(
    'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "lectern admin new-secret".',
  )
}

/** The row of the secret in force; no other comes into force before the transaction ends. To be locked before other rows. */
export async function lockFingerprint(tx: Transaction, strength: 'share' | 'update') {
  const [row] = await tx.select().from(secret_fingerprint).for(strength)
  return row
}

async function findClaimant(db: Db, known: readonly Secret[]): Promise<Secret | undefined> {
  const keys = await db.select({ sealed: signing_keys.private_jwk }).from(signing_keys)
  const factors = await db.select({ sealed: mfa_factors.secret }).from(mfa_factors)
  if (keys.length + factors.length === 0) return known[0]
  return known.find(
    (secret) =>
      keys.some(({ sealed }) => opens(secret.key('signing keys'), sealed)) ||
      factors.some(({ sealed }) => opens(secret.key('second factors'), sealed)),
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
