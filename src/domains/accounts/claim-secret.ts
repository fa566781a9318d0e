// At the start: the database belongs to one secret.
import type { Db } from '#platform/db/client.ts'
import type { Secret } from '#platform/secret.ts'
import { findFingerprint, requireSecret, unseal } from '#platform/secrets.ts'
import { mfa_factors } from '#tables/accounts.ts'
import { secret_fingerprint, signing_keys } from '#tables/secrets.ts'

/** Of concurrent claims one wins. A database without a fingerprint, of an older version, takes the secret that opens it. */
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

async function findClaimant(db: Db, known: readonly Secret[]): Promise<Secret | undefined> {
  const keys = await db.select({ sealed: signing_keys.private_jwk }).from(signing_keys)
  const apps = await db.select({ sealed: mfa_factors.secret }).from(mfa_factors)
  const factors = apps.flatMap(({ sealed }) => sealed ?? [])
  if (keys.length + factors.length === 0) return known[0]
  return known.find(
    (secret) =>
      keys.some(({ sealed }) => opens(secret.key('signing keys'), sealed)) ||
      factors.some((sealed) => opens(secret.key('second factors'), sealed)),
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
