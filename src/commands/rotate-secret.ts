// `lectern admin rotate-secret`: gives a running shop another secret. Sessions go on, unless they are to end at once.
import {
  changeSecret,
  countSecretChange,
  countUnprepared,
  rotateSecret,
} from '#features/accounts/change-secret.ts'
import { leadMs } from '#platform/key-rotation.ts'
import type { Shop } from '../shop.ts'
import { planSecretChange } from './plan-secret-change.ts'

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
