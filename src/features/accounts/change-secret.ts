// Giving the shop another secret. What only the old one could open is sealed anew where the old one is known, and
// removed where it is not; what it has signed stops working in both cases.
import { eq, isNull, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { mfa_challenges, mfa_factors, secret_fingerprint, sessions, signing_keys } from './schema.ts'
import type { Secret } from '#platform/secret.ts'
import { audit } from './accounts.ts'
import { seal, unseal } from './seal.ts'
import { findFingerprint, fingerprintOf } from './secret-fingerprint.ts'

export type SecretChange = { from: Secret | undefined; to: Secret }

/** What a change would do, or has done. */
export type SecretChanged = { sessions: number; factorsKept: number; factorsRemoved: number }

export async function isSecretOf(db: Db, secret: Secret): Promise<boolean> {
  return (await findFingerprint(db))?.equals(fingerprintOf(secret)) ?? false
}

/** Whether a shop runs on this database: it would go on with the old secret until it is started again. */
export async function isShopRunning(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity
    where datname = current_database() and application_name in ('lectern listener', 'lectern jobs')`)
  return rows.length > 0
}

export async function countSecretChange(db: Db, from: Secret | undefined): Promise<SecretChanged> {
  const factors = await db.$count(mfa_factors)
  const resealed = from ? factors : 0
  const open = await db.$count(sessions, isNull(sessions.revoked_at))
  return { sessions: open, factorsKept: resealed, factorsRemoved: factors - resealed }
}

/** All or nothing. With `from` all second factors stay; it must be the secret that the database belongs to. */
export async function changeSecret(db: Db, { from, to }: SecretChange, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern secret'))`)
    if (from) await sealFactorsAnew(tx, { from, to })
    else await removeFactors(tx, now)
    await tx.delete(signing_keys)
    await tx
      .update(sessions)
      .set({ revoked_at: now, revoked_reason: 'new secret' })
      .where(isNull(sessions.revoked_at))
    const fingerprint = fingerprintOf(to)
    await tx
      .insert(secret_fingerprint)
      .values({ fingerprint, set_at: now })
      .onConflictDoUpdate({ target: secret_fingerprint.is_only, set: { fingerprint, set_at: now } })
  })
}

async function sealFactorsAnew(tx: Transaction, { from, to }: { from: Secret; to: Secret }): Promise<void> {
  const [oldKey, newKey] = [from.key('second factors'), to.key('second factors')]
  for (const { id, secret } of await tx.select().from(mfa_factors).for('update')) {
    await tx
      .update(mfa_factors)
      .set({ secret: seal(newKey, unseal(oldKey, secret)) })
      .where(eq(mfa_factors.id, id))
  }
}

async function removeFactors(tx: Transaction, now: Date): Promise<void> {
  await tx.delete(mfa_challenges)
  const removed = await tx.delete(mfa_factors).returning({ id: mfa_factors.id, user_id: mfa_factors.user_id })
  for (const { id, user_id } of removed) {
    const detail = { factor_id: id, reason: 'new secret' }
    await audit(tx, { user_id, event: 'factor_removed', detail }, now)
  }
}
