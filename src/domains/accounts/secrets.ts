// The shop's secret: the start takes the one that the database belongs to, and a command replaces it.
import { eq, isNull, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { knownSecrets, repairSecretFiles, type Secret } from '#platform/secret.ts'
import {
  findFingerprint,
  insertFingerprint,
  lockFingerprint,
  requireSecret,
  saveFingerprint,
  seal,
  unseal,
} from '#platform/secrets.ts'
import { deleteSettingSecrets, resealSettingSecrets } from '#platform/setting-secrets.ts'
import { mfa_challenges, mfa_factors, sessions, signing_keys, users } from '#tables/accounts.ts'
import { setting_secrets } from '#tables/platform.ts'
import type { Config } from '../../config.ts'
import { audit } from './accounts.ts'

/** One of several concurrent claims of an empty database wins. */
export async function claimSecret(db: Db, config: Config): Promise<Secret> {
  const known = knownSecrets(config)
  const [own] = known
  if (own && !(await findFingerprint(db))) await insertFingerprint(db, own)
  const secret = requireSecret(known, await findFingerprint(db))
  repairSecretFiles(config, secret)
  return secret
}

export const listenerName = 'lectern listener'

/** Counts the shop's processes, this one included; each has one listener. */
export async function countProcesses(db: Pick<Db, 'execute'>): Promise<number> {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName}`)
  return rows.length
}

export async function isShopRunning(db: Pick<Db, 'execute'>): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from pg_stat_activity where datname = current_database()
      and application_name in (${listenerName}, 'lectern jobs')`)
  return rows.length > 0
}

export type Sealed = { sessions: number; factors: number; emails: string[]; settings: string[] }

/** Lists what another secret ends, and what only the present one opens. */
export async function listSealed(db: Db): Promise<Sealed> {
  const owners = await db
    .selectDistinct({ email: users.email })
    .from(mfa_factors)
    .innerJoin(users, eq(users.id, mfa_factors.user_id))
    .orderBy(users.email)
  const settings = await db.select({ name: setting_secrets.name }).from(setting_secrets)
  return {
    sessions: await db.$count(sessions, isNull(sessions.revoked_at)),
    factors: await db.$count(mfa_factors),
    emails: owners.map(({ email }) => email),
    settings: settings.map(({ name }) => name).toSorted(),
  }
}

type SecretChange = {
  from: Secret | undefined
  to: Secret
  /** Called last, so that no other change is between it and the commit. */
  saveFile?: () => void
}

/**
 * All or nothing. Ends all sessions. With `from`, which must be the secret of the database, second factors and secrets of
 * settings are sealed anew; without it they are removed.
 */
export async function changeSecret(db: Db, { from, to, saveFile }: SecretChange, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockFingerprint(tx, 'update')
    if (from && !row?.fingerprint.equals(from.fingerprint))
      throw new Error('The secret was changed by another process. Nothing was changed by this one.')
    // The check follows the lock: a process that starts meanwhile waits for it and then refuses (lockSecret).
    if (await isShopRunning(tx))
      throw new Error('The shop is running: stop it first, all its processes. Nothing was changed.')
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
    await saveFingerprint(tx, to, now)
    saveFile?.()
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

async function removeFactors(tx: Transaction, now: Date): Promise<void> {
  await tx.delete(mfa_challenges)
  const removed = await tx.delete(mfa_factors).returning({ id: mfa_factors.id, user_id: mfa_factors.user_id })
  for (const { id, user_id } of removed) {
    const detail = { factor_id: id, reason: 'new secret' }
    await audit(tx, { user_id, event: 'factor_removed', detail }, now)
  }
}
