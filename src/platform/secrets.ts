// The fingerprint of the shop's secret in the database, and what the secret seals there.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { eq, isNotNull } from 'drizzle-orm'
import type { Db, Transaction } from './db/client.ts'
import { findSecret, type Secret } from './secret.ts'
import { secret_fingerprint, setting_secrets } from '#tables/platform.ts'

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
  const set = { fingerprint, previous: null, set_at: now }
  await tx
    .insert(secret_fingerprint)
    .values(set)
    .onConflictDoUpdate({ target: secret_fingerprint.is_only, set })
}

/** 0.1.1 kept replaced secrets, sealed, to verify what they had signed. */
export async function deletePreviousSecrets(db: Db): Promise<void> {
  await db.update(secret_fingerprint).set({ previous: null }).where(isNotNull(secret_fingerprint.previous))
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

// Secrets among the settings: sealed here, because a change of AUTH_SECRET has to seal them again (accounts/secrets.ts).

const purpose = 'setting secrets'

export type SettingSecret = {
  /** Undefined where it was sealed with a secret that this machine does not have. */
  text: string | undefined
  set_at: Date
  set_by: string
}

export async function readSettingSecrets(
  tx: Transaction,
  secret: Secret | undefined,
): Promise<Map<string, SettingSecret>> {
  const rows = await tx.select().from(setting_secrets)
  const key = secret?.key(purpose)
  return new Map(
    rows.map(({ name, sealed, set_at, set_by }) => [
      name,
      { text: key && open(key, sealed), set_at, set_by },
    ]),
  )
}

export async function saveSettingSecret(
  tx: Transaction,
  secret: Secret,
  { text, ...row }: { name: string; text: string; set_at: Date; set_by: string },
): Promise<void> {
  const set = { ...row, sealed: seal(secret.key(purpose), text) }
  await tx.insert(setting_secrets).values(set).onConflictDoUpdate({ target: setting_secrets.name, set })
}

export async function deleteSettingSecret(tx: Transaction, name: string): Promise<void> {
  await tx.delete(setting_secrets).where(eq(setting_secrets.name, name))
}

export async function deleteSettingSecrets(tx: Transaction): Promise<void> {
  await tx.delete(setting_secrets)
}

/** One that `from` does not open stays as it is: it has to be entered again. */
export async function resealSettingSecrets(
  tx: Transaction,
  { from, to }: { from: Secret; to: Secret },
): Promise<void> {
  for (const { name, sealed } of await tx.select().from(setting_secrets).for('update')) {
    const text = open(from.key(purpose), sealed)
    if (text === undefined) continue
    const anew = { sealed: seal(to.key(purpose), text) }
    await tx.update(setting_secrets).set(anew).where(eq(setting_secrets.name, name))
  }
}

function open(key: Buffer, sealed: Buffer): string | undefined {
  try {
    return unseal(key, sealed)
  } catch {
    return undefined
  }
}
