import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem } from './problem.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Device } from './devices.ts'
import { dropLinks, takeLink } from './links.ts'
import { findCoded } from './mailed-codes.ts'
import { renewProof } from './recent-proof.ts'

/** A code that was mailed to the account's own address, which could also choose a new password. */
export async function proveByCode(
  context: AccountsContext,
  caller: SignedInUser,
  code: string,
  device: Device,
): Promise<void> {
  const coded = await findCoded(context, { email: caller.email, code, types: ['magiclink'], device })
  const now = context.clock()
  await context.db.transaction(async (tx) => {
    const { user } = await takeLink(tx, [coded.type], coded.hash, now)
    if (user.id !== caller.id) throw accountProblem('auth.otp_expired')
    await dropLinks(tx, user.id, ['magiclink'])
    await renewProof(tx, caller, now)
  })
}
