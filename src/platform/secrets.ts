// The secret in force and those before it, which seal what the database must not be able to read.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Db, Transaction } from './db/client.ts'
import { freshCopy } from './key-rotation.ts'
import { findSecret, knownSecrets, secretFrom, type Secret, type Secrets } from './secret.ts'
import type { Services } from './services.ts'
import { secret_fingerprint, setting_secrets } from '#tables/platform.ts'
import { eq } from 'drizzle-orm'

export function openSecrets({ config, db, clock }: Pick<Services, 'config' | 'db' | 'clock'>): Secrets {
  let cached = knownSecrets(config)
  let [inForce] = cached
  const known = () => (cached = knownSecrets(config))
  function find(fingerprint: Buffer | undefined): Secret {
    // Another process may have written a new one into DATA_DIR.
    inForce = (fingerprint && findSecret(cached, fingerprint)) ?? requireSecret(known(), fingerprint)
    return inForce
  }
  const read = freshCopy(async () => {
    const [row] = await db.select().from(secret_fingerprint)
    const secret = find(row?.fingerprint)
    return [{ key: secret, replaced_at: undefined }, ...openPrevious(secret, row?.previous)]
  }, clock)
  return { known, find, read, inForce: () => inForce }
}

/** The secret to seal with and to open with, until the transaction ends. To be locked before other rows. */
export async function lockSecret(tx: Transaction, secrets: Secrets): Promise<Secret> {
  return secrets.find((await lockFingerprint(tx, 'share'))?.fingerprint)
}

const previousSecrets = z.array(z.object({ text: z.string(), replaced_at: z.coerce.date() }))
type Replaced = { key: Secret; replaced_at: Date }

export function openPrevious(secret: Secret, sealed: Buffer | null | undefined): Replaced[] {
  if (!sealed) return []
  const previous = previousSecrets.parse(JSON.parse(unseal(secret.key('previous secrets'), sealed)))
  return previous.map(({ text, replaced_at }) => ({ key: secretFrom(text), replaced_at }))
}

export function sealPrevious(secret: Secret, previous: readonly Replaced[]): Buffer | null {
  if (previous.length === 0) return null
  const content = previous.map(({ key: { text }, replaced_at }) => ({ text, replaced_at }))
  return seal(secret.key('previous secrets'), JSON.stringify(content))
}

export async function findFingerprint(db: Pick<Db, 'select'>): Promise<Buffer | undefined> {
  const [row] = await db.select({ fingerprint: secret_fingerprint.fingerprint }).from(secret_fingerprint)
  return row?.fingerprint
}

/** The first one stays. */
export async function insertFingerprint(db: Db, { fingerprint }: Secret): Promise<void> {
  await db.insert(secret_fingerprint).values({ fingerprint }).onConflictDoNothing()
}

export async function putInForce(
  tx: Transaction,
  row: typeof secret_fingerprint.$inferInsert,
): Promise<void> {
  await tx
    .insert(secret_fingerprint)
    .values(row)
    .onConflictDoUpdate({ target: secret_fingerprint.is_only, set: row })
}

export function requireSecret(known: readonly Secret[], fingerprint: Buffer | undefined): Secret {
  const secret = fingerprint && findSecret(known, fingerprint)
  if (secret) return secret
  throw new Error(
    'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "lectern admin new-secret".',
  )
}

/** No other secret comes into force before the transaction ends. To be locked before other rows. */
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
  secrets: Pick<Secrets, 'find'>,
): Promise<Map<string, SettingSecret>> {
  const rows = await tx.select().from(setting_secrets)
  if (rows.length === 0) return new Map()
  const key = findKey(secrets, await findFingerprint(tx))
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

function findKey(secrets: Pick<Secrets, 'find'>, fingerprint: Buffer | undefined): Buffer | undefined {
  try {
    return secrets.find(fingerprint).key(purpose)
  } catch {
    return undefined
  }
}

function open(key: Buffer, sealed: Buffer): string | undefined {
  try {
    return unseal(key, sealed)
  } catch {
    return undefined
  }
}
