// `lectern admin new-secret`: gives the shop another secret, deliberately and while it does not run.
import {
  changeSecret,
  countSecretChange,
  isSecretOf,
  isShopRunning,
} from '#features/accounts/change-secret.ts'
import { preparedSecret, prepareSecret, secretFrom, type Secret } from '#platform/secret.ts'
import type { Shop } from '../shop.ts'

/** The old secret where it can be had, the new one, and what is to be done once the database has taken it. */
type Plan = { from: Secret | undefined; to: Secret; finish(): void }

export async function newSecret(services: Shop, isConfirmed: boolean): Promise<void> {
  const { db, clock } = services
  const plan = await planChange(services)
  if (plan === 'finished') return console.log('The new secret is in force.')
  const { sessions, factorsKept, factorsRemoved } = await countSecretChange(db, plan.from)
  const factors = plan.from
    ? `${factorsKept} second factors stay.`
    : `${factorsRemoved} second factors are removed: only the old secret could open them, and until they are set up anew their accounts are open to whoever has the password. Give the old one as OLD_AUTH_SECRET to keep them.`
  const effect = `Everybody must sign in again (${sessions} sessions end), and download links under way stop working. ${factors}`
  if (!isConfirmed) throw new Error(`${effect}\nNothing was changed. Run it again with --yes to do so.`)
  if (await isShopRunning(db)) {
    throw new Error('The shop is running: stop it first, all its processes. Nothing was changed.')
  }
  await changeSecret(db, plan, clock())
  plan.finish()
  console.log(`The new secret is in force. ${effect}`)
}

/** Throws, in words for the person at the shell, when there is no other secret to change to. */
async function planChange({ db, secret, config }: Shop): Promise<Plan | 'finished'> {
  const isOwn = await isSecretOf(db, secret)
  if (isOwn && config.authSecret) {
    throw new Error(
      'AUTH_SECRET is the secret that this shop has already. Set AUTH_SECRET to the new one and OLD_AUTH_SECRET to the old one, and run this again.',
    )
  }
  const next = preparedSecret(config.dataDir)
  if (isOwn) {
    const { secret: to, putInForce: finish } = next ?? prepareSecret(config.dataDir)
    return { from: secret, to, finish }
  }
  // A change that was interrupted after the database had taken it.
  if (next && !config.authSecret && (await isSecretOf(db, next.secret))) {
    next.putInForce()
    return 'finished'
  }
  const old = config.oldAuthSecret === undefined ? undefined : secretFrom(config.oldAuthSecret)
  if (old && !(await isSecretOf(db, old)))
    throw new Error('OLD_AUTH_SECRET is not the secret that this shop has.')
  return { from: old, to: secret, finish() {} }
}
