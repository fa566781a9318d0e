// Passkeys are added, and given as a second factor after the password. As auth-js calls them: `passkey`, `mfa.webauthn`.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { v7 as uuidv7 } from 'uuid'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem } from './problem.ts'
import type { AccountsContext } from './accounts-context.ts'
import { insertChallenge, takeChallenge, type Challenge } from './challenges.ts'
import type { Device } from './devices.ts'
import { addFactor, findFactor, maxFactors } from './enrolled-factors.ts'
import { passkeys } from '#tables/passkeys.ts'
import { proveFactor } from './prove-factor.ts'
import { comparePassword, lockCaller, lockProvenCaller, requireSecondFactor } from './recent-proof.ts'
import { mfa_factors } from '#tables/accounts.ts'
import { raiseSession, type Session } from './sessions.ts'
import { listOwn, toKnown } from './own-passkeys.ts'
import { verifyPasskey } from './verify-passkey.ts'
import { creationOptions, relyingParty, requestOptions, verifyCreation } from './webauthn.ts'

export async function startRegistration(
  context: AccountsContext,
  caller: SignedInUser,
  { current_password }: { current_password?: string | undefined },
  { network }: Device,
) {
  const { db, clock } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const { title: rpName } = await context.letterhead()
  const now = clock()
  const { known, asked } = await db.transaction(async (tx) => {
    await lockProvenCaller(tx, caller, password_hash, now)
    const own = await listOwn(tx, caller.id)
    if (own.length >= maxFactors) throw accountProblem('auth.too_many_enrolled_mfa_factors')
    const { session_id } = caller
    return { known: own.map(toKnown), asked: await insertChallenge(tx, { factor_id: null, session_id }, now) }
  })
  const { id: challenge_id, challenge, expires_at } = asked
  const options = await creationOptions(relyingParty(context), { rpName, challenge, user: caller, known })
  return { challenge_id, options, expires_at }
}

type Registration = { challenge_id: string; credential: RegistrationResponseJSON }

/** The response has no place for a session: auth-js renews its own to learn that it was raised. */
export async function finishRegistration(
  context: AccountsContext,
  caller: SignedInUser,
  { challenge_id, credential }: Registration,
  device: Device,
) {
  const { db, clock, limits } = context
  requireSecondFactor(caller)
  await limits.code(device.network)
  const now = clock()
  const { session_id } = caller
  const challenge = await takeChallenge(db, { id: challenge_id, factor_id: null, session_id }, now)
  if (!challenge) throw accountProblem('auth.webauthn_challenge_expired')
  const party = relyingParty(context)
  const verified = await verifyCreation(party, credential, challenge)
  if (!verified) throw accountProblem('auth.webauthn_verification_failed')
  const { id: credential_id, publicKey, counter } = verified.credential
  const factor_id = uuidv7()
  await db.transaction(async (tx) => {
    const { user, proofs } = await lockCaller(tx, caller, now)
    // Else an attacker who knows the password could add one first.
    requireSecondFactor(proofs)
    const own = await listOwn(tx, user.id)
    if (own.length >= maxFactors) throw accountProblem('auth.too_many_enrolled_mfa_factors')
    await tx.insert(mfa_factors).values({
      id: factor_id,
      user_id: user.id,
      factor_type: 'webauthn',
      status: 'verified',
      created_at: now,
      updated_at: now,
    })
    const [added] = await tx
      .insert(passkeys)
      .values({
        factor_id,
        credential_id,
        public_key: Buffer.from(publicKey),
        counter,
        transports: credential.response.transports ?? [],
        is_backed_up: verified.credentialBackedUp,
        rp_id: party.rpID,
      })
      .onConflictDoNothing()
      .returning({ factor_id: passkeys.factor_id })
    if (!added) throw accountProblem('auth.webauthn_credential_exists')
    await raiseSession(tx, { id: session_id, method: 'mfa/webauthn', isProof: false, keepsToken: true }, now)
    await addFactor(tx, context, 'webauthn', { user, factor_id, device, isFirst: !proofs.has_factor }, now)
  })
  return { id: factor_id, created_at: now.toISOString() }
}

type Given = { challenge_id: string; credential: AuthenticationResponseJSON }

/** Any passkey of the account, whichever factor was chosen. */
export async function askForPasskey(
  context: AccountsContext,
  caller: SignedInUser,
  { challenge }: Challenge,
) {
  const party = relyingParty(context)
  const own = await listOwn(context.db, caller.id)
  const known = own.filter(({ rp_id }) => rp_id === party.rpID)
  if (known.length === 0) throw accountProblem('auth.webauthn_other_address')
  return requestOptions(party, challenge, known.map(toKnown))
}

export function givePasskey(
  context: AccountsContext,
  caller: SignedInUser,
  { factor_id, challenge_id, credential }: Given & { factor_id: string },
  device: Device,
): Promise<Session> {
  return proveFactor(context, caller, device, async (tx, { user }, now) => {
    const { factor_type } = await findFactor(tx, caller, factor_id, now)
    const { session_id } = caller
    const challenge = await takeChallenge(tx, { id: challenge_id, factor_id, session_id }, now)
    if (!challenge || factor_type !== 'webauthn') throw accountProblem('auth.mfa_challenge_expired')
    const verified = await verifyPasskey(tx, relyingParty(context), { credential, challenge }, now)
    return verified?.user_id === user.id ? { method: 'mfa/webauthn', isProof: true } : 'wrong'
  })
}
