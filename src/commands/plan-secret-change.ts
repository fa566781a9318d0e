// From which secret to which one the shop would change, by the settings and the files in DATA_DIR.
import { findFingerprint } from '#features/accounts/secret-fingerprint.ts'
import {
  configuredSecret,
  findSecret,
  knownSecrets,
  preparedSecret,
  prepareFreshSecret,
  prepareSecret,
  putInPlace,
} from '#platform/known-secrets.ts'
import type { Secret } from '#platform/secret.ts'
import type { Shop } from '../shop.ts'

export type SecretPlan = {
  /** Undefined where it is not known. */
  from: Secret | undefined
  /** To be called when the change is confirmed. `isFresh`: not the one that an interrupted change has left. */
  prepare(isFresh: boolean): Secret
  /** To be called when `to` is in force. */
  finish(to: Secret): void
}

/** Throws an Error in plain words when there is no other secret to change to. */
export async function planSecretChange({
  db,
  config,
}: Pick<Shop, 'db' | 'config'>): Promise<SecretPlan | 'finished'> {
  const { authSecret, oldAuthSecret, dataDir } = config
  const fingerprint = await findFingerprint(db)
  const configured = configuredSecret(config)
  const from = fingerprint && findSecret(knownSecrets(config), fingerprint)
  if (!from && oldAuthSecret !== undefined)
    throw new Error('OLD_AUTH_SECRET is not the secret that this shop has.')
  // A change that was interrupted after the database had taken it.
  if (!authSecret && from && from.text === preparedSecret(dataDir)?.text) {
    putInPlace(dataDir, from)
    return 'finished'
  }
  if (from?.text !== configured.text) return { from, prepare: () => configured, finish() {} }
  if (!authSecret)
    return {
      from,
      prepare: (isFresh) => (isFresh ? prepareFreshSecret(dataDir) : prepareSecret(dataDir)),
      finish: (to) => putInPlace(dataDir, to),
    }
  throw new Error(
    'AUTH_SECRET is the secret that this shop has already. Set AUTH_SECRET to the new one and OLD_AUTH_SECRET to the old one, and run this again.',
  )
}
