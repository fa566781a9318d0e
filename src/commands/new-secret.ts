// `lectern admin new-secret`: gives the shop another secret while it is stopped, also when the old one is lost.
import { changeSecret, countSecretChange, isShopRunning } from '#features/accounts/change-secret.ts'
import type { Shop } from '../shop.ts'
import { planSecretChange } from './plan-secret-change.ts'

export async function newSecret(services: Shop, isConfirmed: boolean): Promise<void> {
  const { db, clock } = services
  const plan = await planSecretChange(services)
  if (plan === 'finished') return console.log('The new secret is in force.')
  const { sessions, factorsKept, factorsRemoved, settingsRemoved } = await countSecretChange(db, plan.from)
  const factors = plan.from
    ? `${factorsKept} second factors stay.`
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
