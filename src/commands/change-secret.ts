import { findFingerprint } from '#platform/secrets.ts'
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
import {
  changeSecret,
  countSecretChange,
  isShopRunning,
  countUnprepared,
  rotateSecret,
} from '#domains/accounts/secrets.ts'
import { leadMs } from '#platform/key-rotation.ts'

type SecretPlan = {
  from: Secret | undefined
  /** `isFresh`: not the one that an interrupted change has left. */
  prepare(isFresh: boolean): Secret
  finish(to: Secret): void
}

async function planSecretChange({
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

export async function newSecret(services: Shop, isConfirmed: boolean): Promise<void> {
  const { db, clock } = services
  const plan = await planSecretChange(services)
  if (plan === 'finished') return console.log('The new secret is in force.')
  const { sessions, factorsResealed, factorsRemoved, settingsRemoved } = await countSecretChange(
    db,
    plan.from,
  )
  const factors = plan.from
    ? `${factorsResealed} second factors stay.`
    : `${factorsRemoved} second factors are removed: only the old secret could open them, and until they are set up again the password alone opens their accounts. Give the old one as OLD_AUTH_SECRET to keep them.`
  const settings =
    settingsRemoved > 0
      ? ` ${settingsRemoved} passwords and keys of the settings are removed, and have to be entered again.`
      : ''
  const effect = `All users must sign in again (${sessions} sessions end), and download links that were given out stop working. ${factors}${settings}`
  if (!isConfirmed) throw new Error(`${effect}\nNothing was changed. Run it again with --yes to do so.`)
  if (await isShopRunning(db)) {
    throw new Error('The shop is running: stop it first, all its processes. Nothing was changed.')
  }
  const to = plan.prepare(true)
  await changeSecret(db, { from: plan.from, to }, clock())
  plan.finish(to)
  console.log(`The new secret is in force. ${effect}`)
}

type Options = { isAtOnce: boolean; isConfirmed: boolean }

export async function rotate(services: Shop, { isAtOnce, isConfirmed }: Options): Promise<void> {
  const { db, config, clock } = services
  const plan = await planSecretChange(services)
  if (plan === 'finished') return console.log('The new secret is in force.')
  const { from } = plan
  if (!from)
    throw new Error(
      'The secret of this shop is not here: give it as OLD_AUTH_SECRET. If it is lost, use "lectern admin new-secret".',
    )
  const unprepared = await countUnprepared(db, config)
  if (unprepared > 0)
    throw new Error(
      `${unprepared} running processes of the shop do not have the new secret: start them again with AUTH_SECRET and OLD_AUTH_SECRET set as here. Nothing was changed.`,
    )
  const { sessions } = await countSecretChange(db, from)
  if (isAtOnce && !isConfirmed)
    throw new Error(
      `All users must sign in again (${sessions} sessions end).\nNothing was changed. Run it again with --yes to do so.`,
    )
  const to = plan.prepare(isAtOnce)
  if (isAtOnce) await changeSecret(db, { from, to }, clock())
  else await rotateSecret(db, { from, to }, clock())
  plan.finish(to)
  console.log(
    isAtOnce
      ? `The new secret is in force. ${sessions} sessions have ended.`
      : `The new secret is in force, and signs in ${leadMs / 1000} seconds. Sessions go on.`,
  )
}
