// The secret in force and those before it, as the database has them.
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { freshCopy } from '#platform/key-rotation.ts'
import { findSecret, knownSecrets } from '#platform/known-secrets.ts'
import { secretFrom, type Secret, type Secrets } from '#platform/secret.ts'
import type { Services } from '../../services.ts'
import { secret_fingerprint } from './secrets-schema.ts'
import { seal, unseal } from './seal.ts'
import { lockFingerprint, requireSecret } from './secret-fingerprint.ts'

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
export type Replaced = { key: Secret; replaced_at: Date }

/** The newest first. */
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
