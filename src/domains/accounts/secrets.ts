// At the start: the database belongs to one secret.
import type { Db, Transaction } from '#platform/db/client.ts'
import { type Secret, configuredSecret } from '#platform/secret.ts'
import {
  deleteSettingSecrets,
  findFingerprint,
  insertFingerprint,
  putInForce,
  requireSecret,
  unseal,
  lockFingerprint,
  openPrevious,
  seal,
  sealPrevious,
  resealSettingSecrets,
} from '#platform/secrets.ts'
import { mfa_factors, mfa_challenges, sessions } from '#tables/accounts.ts'
import { setting_secrets } from '#tables/platform.ts'
import { signing_keys } from '#tables/accounts.ts'
import { eq, isNull, sql } from 'drizzle-orm'
import { leadMs } from '#platform/key-rotation.ts'
import type { Config } from '../../config.ts'
import { audit } from './accounts.ts'
import { maxDays } from './sessions.ts'
import { addSigningKey } from './signing-keys.ts'

/** Of concurrent claims one wins. A database without a fingerprint, of an older version, takes the secret that opens it. */
export async function claimSecret(db: Db, known: readonly Secret[]): Promise<Secret> {
  if (!(await findFingerprint(db))) {
    const secret = await findClaimant(db, known)
    if (secret) {
      await insertFingerprint(db, secret)
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

// Another secret: rotated, so that no session ends, or changed, so that nothing of the one before is valid.

type SecretChange = { from: Secret | undefined; to: Secret }

type SecretChanged = {
  sessions: number
  factorsResealed: number
  factorsRemoved: number
  settingsRemoved: number
}

export async function isSecretOf(db: Db, secret: Secret): Promise<boolean> {
  return (await findFingerprint(db))?.equals(secret.fingerprint) ?? false
}

const listenerName = 'lectern listener'

/** Names the secret that a running process would put in force: AUTH_SECRET by its fingerprint, else that of DATA_DIR. */
export function listenerNameOf(config: Config): string {
  const id = config.authSecret && configuredSecret(config).fingerprint.toString('hex', 0, 8)
  return `${listenerName} ${id ?? 'DATA_DIR'}`
}

export async function isShopRunning(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity where datname = current_database()
      and (starts_with(application_name, ${listenerName}) or application_name = 'lectern jobs')`)
  return rows.length > 0
}

export async function countUnprepared(db: Db, config: Config): Promise<number> {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity where datname = current_database()
      and starts_with(application_name, ${listenerName}) and application_name <> ${listenerNameOf(config)}`)
  return rows.length
}

export async function countSecretChange(db: Db, from: Secret | undefined): Promise<SecretChanged> {
  const factors = await db.$count(mfa_factors)
  const resealed = from ? factors : 0
  const open = await db.$count(sessions, isNull(sessions.revoked_at))
  const settingsRemoved = from ? 0 : await db.$count(setting_secrets)
  return { sessions: open, factorsResealed: resealed, factorsRemoved: factors - resealed, settingsRemoved }
}

/** All or nothing. `from` must be in force; what it has signed stays valid for a day, sessions and second factors for good. */
export async function rotateSecret(
  db: Db,
  { from, to }: { from: Secret; to: Secret },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const sealed = await lockForChange(tx, from)
    await resealFactors(tx, { from, to })
    await resealSigningKeys(tx, { from, to })
    await resealSettingSecrets(tx, { from, to })
    await addSigningKey(tx, to, now)
    const replaced = { key: from, replaced_at: new Date(now.getTime() + leadMs) }
    const previous = [replaced, ...openPrevious(from, sealed)].filter((each) => isNeeded(each, now))
    await putInForce(tx, { fingerprint: to.fingerprint, previous: sealPrevious(to, previous), set_at: now })
  })
}

/** All or nothing. Ends all sessions. With `from`, which must be in force, second factors and secrets of settings stay. */
export async function changeSecret(db: Db, { from, to }: SecretChange, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await lockForChange(tx, from)
    if (from) {
      await resealFactors(tx, { from, to })
      await resealSettingSecrets(tx, { from, to })
    } else {
      await removeFactors(tx, now)
      await deleteSettingSecrets(tx)
    }
    await tx.delete(signing_keys)
    await tx
      .update(sessions)
      .set({ revoked_at: now, revoked_reason: 'new secret' })
      .where(isNull(sessions.revoked_at))
    await putInForce(tx, { fingerprint: to.fingerprint, previous: null, set_at: now })
  })
}

async function lockForChange(tx: Transaction, from: Secret | undefined): Promise<Buffer | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern secret'))`)
  const row = await lockFingerprint(tx, 'update')
  if (from && !row?.fingerprint.equals(from.fingerprint))
    throw new Error('The secret was changed by another process. Nothing was changed by this one.')
  return row?.previous ?? null
}

/** A refresh token may be as old as its session (signing-keys.ts). */
function isNeeded({ replaced_at }: { replaced_at: Date }, now: Date): boolean {
  return now.getTime() < replaced_at.getTime() + maxDays * 86_400_000
}

export async function deleteOldSecrets(
  db: Db,
  secrets: { find: (fingerprint: Buffer | undefined) => Secret },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockFingerprint(tx, 'update')
    if (!row?.previous) return
    const secret = secrets.find(row.fingerprint)
    const previous = openPrevious(secret, row.previous)
    const needed = previous.filter((each) => isNeeded(each, now))
    if (needed.length === previous.length) return
    await putInForce(tx, { ...row, previous: sealPrevious(secret, needed) })
  })
}

type Resealing = { from: Secret; to: Secret }

async function resealFactors(tx: Transaction, { from, to }: Resealing): Promise<void> {
  const [oldKey, newKey] = [from.key('second factors'), to.key('second factors')]
  const locked = await tx.select().from(mfa_factors).for('update')
  const factors = locked.flatMap(({ id, secret }) => (secret ? [{ id, secret }] : []))
  const ids = sql.param(factors.map(({ id }) => id))
  const sealed = sql.param(factors.map(({ secret }) => seal(newKey, unseal(oldKey, secret))))
  // One statement: codes are not checked until the transaction ends.
  await tx.execute(sql`
    update ${mfa_factors} set secret = anew.secret
    from unnest(${ids}::uuid[], ${sealed}::bytea[]) as anew (id, secret) where ${mfa_factors.id} = anew.id`)
}

async function resealSigningKeys(tx: Transaction, { from, to }: Resealing): Promise<void> {
  const [oldKey, newKey] = [from.key('signing keys'), to.key('signing keys')]
  for (const { kid, private_jwk } of await tx.select().from(signing_keys)) {
    await tx
      .update(signing_keys)
      .set({ private_jwk: seal(newKey, unseal(oldKey, private_jwk)) })
      .where(eq(signing_keys.kid, kid))
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
