// The proof of any second factor: wrong ones are counted alike, and a right one raises the session.
import type { Transaction } from '#platform/db/client.ts'
import { accountProblem } from './accounts.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import type { AccountsContext } from './accounts-context.ts'
import { rememberDevice, type Device, raiseSession, type FactorMethod, type Session } from './sessions.ts'
import { recordWrongProof } from './limits.ts'
import { countWrongCode, deleteWrongCodes, findCodeHolder, limitWrongCodes } from './wrong-codes.ts'
import { lockCaller } from './recent-proof.ts'

type Caller = Awaited<ReturnType<typeof lockCaller>>

/** `isProof` is false for an enrolment. `finish` runs once the session is raised. */
type Right = { method: FactorMethod; isProof: boolean; finish?: () => Promise<void> }

/** `repeated` was right before, so it is no guess. */
type Verdict = Right | 'wrong' | 'repeated'

export async function proveFactor(
  context: AccountsContext,
  caller: SignedInUser,
  device: Device,
  check: (tx: Transaction, locked: Caller, now: Date) => Promise<Verdict>,
): Promise<Session> {
  const { db, clock, config, limits } = context
  await limits.code(device.network)
  const now = clock()
  // A throw inside would roll back the count of wrong codes.
  const raised = await db.transaction(async (tx) => {
    const { user, proofs } = await lockCaller(tx, caller, now)
    const giver = await findCodeHolder(tx, { id: user.id, aal: proofs.aal }, device, now)
    if (config.hasRateLimits) await limitWrongCodes(tx, giver, now)
    const verdict = await check(tx, { user, proofs }, now)
    if (verdict === 'wrong') await countWrongCode(tx, giver, now)
    if (typeof verdict === 'string') return undefined
    const session = await raiseSession(tx, { id: caller.session_id, ...verdict }, now)
    await deleteWrongCodes(tx, giver)
    await rememberDevice(tx, user.id, device, now)
    await verdict.finish?.()
    return session
  })
  if (raised) return raised
  const { network } = device
  await recordWrongProof(db, { event: 'wrong_code', user_id: caller.id, network }, now)
  throw accountProblem('auth.mfa_verification_failed')
}
