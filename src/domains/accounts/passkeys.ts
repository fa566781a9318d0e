// Passkeys are added, and given as a second factor after the password. As auth-js calls them: `passkey`, `mfa.webauthn`.
import { and, eq, lt, or } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem, isBanned, type Account } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { insertChallenge, takeChallenge, type Challenge } from './challenges.ts'
import { proveFactor } from './factor-proof.ts'
import {
  verifyRequest,
  type RelyingParty,
  creationOptions,
  relyingParty,
  requestOptions,
  verifyCreation,
} from './webauthn.ts'
import { type Device, type Session, raiseSession, rememberDevice, openSession } from './sessions.ts'
import { addFactor, findFactor, maxFactors } from './enrolled-factors.ts'
import { comparePassword, lockCaller, lockProvenCaller, requireSecondFactor } from './recent-proof.ts'
import { mfa_factors, passkeys } from '#tables/accounts.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Db, Transaction } from '#platform/db/client.ts'
import { listOwn, toKnown } from './own-passkeys.ts'

type PasskeyAnswer = { credential: AuthenticationResponseJSON; challenge: string }

/** Undefined when it is unknown or not right. Of two responses with one counter, at the same moment, one is right. */
async function verifyPasskey(
  db: Db | Transaction,
  party: RelyingParty,
  { credential, challenge }: PasskeyAnswer,
  now: Date,
): Promise<{ user_id: string; factor_id: string } | undefined> {
  const [row] = await db
    .select({ passkey: passkeys, user_id: mfa_factors.user_id })
    .from(passkeys)
    .innerJoin(mfa_factors, eq(mfa_factors.id, passkeys.factor_id))
    .where(eq(passkeys.credential_id, credential.id))
  const { userHandle } = credential.response
  if (!row || (userHandle && Buffer.from(userHandle, 'base64url').toString() !== row.user_id)) {
    return undefined
  }
  const { factor_id, credential_id: id, public_key, counter } = row.passkey
  const known = { id, publicKey: new Uint8Array(public_key), counter }
  const verified = await verifyRequest(party, credential, { challenge, credential: known })
  if (!verified) return undefined
  const goesOn = or(lt(passkeys.counter, verified.newCounter), eq(passkeys.counter, 0))
  const used = await db
    .update(passkeys)
    .set({ counter: verified.newCounter, is_backed_up: verified.credentialBackedUp, last_used_at: now })
    .where(and(eq(passkeys.factor_id, factor_id), goesOn))
  return used.rowCount === 1 ? { user_id: row.user_id, factor_id } : undefined
}

export async function startRegistration(
  context: AccountsContext,
  caller: SignedInUser,
  { current_password }: { current_password?: string | undefined },
  { network }: Device,
) {
  const { db, clock } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const { title: rpName } = await context.branding()
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
    // An attacker who knows the password could add one first.
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

type SignedChallenge = { challenge_id: string; credential: AuthenticationResponseJSON }

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
  { factor_id, challenge_id, credential }: SignedChallenge & { factor_id: string },
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

/** The same for everybody: the browser knows which passkeys it has, the shop says nothing of them. */
export async function startPasskeySignIn(context: AccountsContext, { network }: Device) {
  const { db, clock, limits } = context
  await limits.passkey(network)
  const inserted = await insertChallenge(db, { factor_id: null, session_id: null }, clock())
  const { id: challenge_id, challenge, expires_at } = inserted
  return { challenge_id, options: await requestOptions(relyingParty(context), challenge), expires_at }
}

/** One refusal for whatever is wrong with the passkey, so that it reveals nothing. */
export async function signInByPasskey(
  context: AccountsContext,
  { challenge_id, credential }: SignedChallenge,
  device: Device,
): Promise<{ session: Session; account: Account }> {
  const { db, clock, limits, accounts } = context
  await limits.code(device.network)
  const now = clock()
  const key = { id: challenge_id, factor_id: null, session_id: null }
  const challenge = await takeChallenge(db, key, now)
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
