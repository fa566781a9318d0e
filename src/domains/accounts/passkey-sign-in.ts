import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import { accountProblem } from './problem.ts'
import type { AccountsContext } from './accounts-context.ts'
import { isBanned, type Account } from './accounts.ts'
import { insertChallenge, takeChallenge } from './challenges.ts'
import { rememberDevice, type Device } from './devices.ts'
import { mfa_factors } from '#tables/accounts.ts'
import { openSession, type Session } from './sessions.ts'
import { verifyPasskey } from './verify-passkey.ts'
import { relyingParty, requestOptions } from './webauthn.ts'

/** The same for everybody: the browser knows which passkeys it has, the shop says nothing of them. */
export async function startPasskeySignIn(context: AccountsContext, { network }: Device) {
  const { db, clock, limits } = context
  await limits.passkey(network)
  const asked = await insertChallenge(db, { factor_id: null, session_id: null }, clock())
  const { id: challenge_id, challenge, expires_at } = asked
  return { challenge_id, options: await requestOptions(relyingParty(context), challenge), expires_at }
}

type Given = { challenge_id: string; credential: AuthenticationResponseJSON }

/** One refusal for whatever is wrong with the passkey, so that it reveals nothing. */
export async function signInByPasskey(
  context: AccountsContext,
  { challenge_id, credential }: Given,
  device: Device,
): Promise<{ session: Session; account: Account }> {
  const { db, clock, limits, accounts } = context
  await limits.code(device.network)
  const now = clock()
  const asked = { id: challenge_id, factor_id: null, session_id: null }
  const challenge = await takeChallenge(db, asked, now)
  if (!challenge) throw accountProblem('auth.webauthn_challenge_expired')
  const verified = await verifyPasskey(db, relyingParty(context), { credential, challenge }, now)
  if (!verified) throw accountProblem('auth.webauthn_verification_failed')
  const { user_id, factor_id } = verified
  const account = await accounts.getById(user_id)
  if (isBanned(account, now)) throw accountProblem('auth.user_banned')
  await limits.session(account, device)
  const session = await db.transaction(async (tx) => {
    const opened = await openSession(tx, { user_id, method: 'mfa/webauthn', device, now })
    // Removed at the same moment: the user's row is locked now.
    if ((await tx.$count(mfa_factors, eq(mfa_factors.id, factor_id))) === 0) {
      throw accountProblem('auth.webauthn_verification_failed')
    }
    await rememberDevice(tx, user_id, device, now)
    return opened
  })
  return { session, account: { ...account, last_sign_in_at: now } }
}
