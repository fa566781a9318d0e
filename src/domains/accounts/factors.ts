// Second factors: authenticator apps and passkeys.
import { and, eq, gt, lte, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { v7 as uuidv7 } from 'uuid'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem, isVerified, isBanned, type Account } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import {
  insertChallenge,
  proveFactor,
  takeChallenge,
  type Challenge,
  verifyRequest,
  type RelyingParty,
  creationOptions,
  relyingParty,
  requestOptions,
  verifyCreation,
} from './challenges.ts'
import { type Device, type Session, raiseSession, rememberDevice, openSession } from './sessions.ts'
import { addFactor, enrolmentMs, findFactor, maxFactors } from './enrolled-factors.ts'
import { comparePassword, lockCaller, lockProvenCaller, requireSecondFactor } from './guard.ts'
import { mfa_challenges, mfa_factors, passkeys } from '#tables/accounts.ts'
import { lockSecret, seal, unseal } from '#platform/secrets.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Db, Transaction } from '#platform/db/client.ts'
import { listOwn, toKnown } from './own-account.ts'

// Authenticator apps. Each code is accepted once.

type Enrolment = {
  friendly_name?: string | undefined
  issuer?: string | undefined
  current_password?: string | undefined
}

export async function enrolFactor(
  context: AccountsContext,
  caller: SignedInUser,
  { friendly_name, issuer, current_password }: Enrolment,
  { network }: Device,
) {
  const { db, clock } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const { title } = await context.branding()
  const now = clock()
  const id = uuidv7()
  return db.transaction(async (tx) => {
    await lockSecret(tx, context.secret)
    const user = await lockProvenCaller(tx, caller, password_hash, now)
    await tx.delete(mfa_factors).where(and(eq(mfa_factors.user_id, user.id), isForgotten(now)))
    const own = await tx.select().from(mfa_factors).where(eq(mfa_factors.user_id, user.id))
    if (own.filter(({ factor_type }) => factor_type === 'totp').length >= maxFactors)
      throw accountProblem('auth.too_many_enrolled_mfa_factors')
    if (friendly_name && own.some((factor) => factor.friendly_name === friendly_name)) {
      throw accountProblem('auth.mfa_factor_name_conflict')
    }
    const { secret, uri, qr_code } = makeSecret(issuer ?? title, user.email)
    const times = { created_at: now, updated_at: now }
    const sealed = seal(context.secret.key('second factors'), secret)
    await tx.insert(mfa_factors).values({ id, user_id: user.id, friendly_name, secret: sealed, ...times })
    return { id, type: 'totp' as const, friendly_name: friendly_name ?? '', totp: { qr_code, secret, uri } }
  })
}

export function isForgotten(now: Date) {
  const oldest = new Date(now.getTime() - enrolmentMs)
  return and(eq(mfa_factors.status, 'unverified'), lte(mfa_factors.created_at, oldest))
}

export async function challengeFactor(context: AccountsContext, caller: SignedInUser, factor_id: string) {
  const { db, clock } = context
  const now = clock()
  const { session_id } = caller
  const { factor_type, challenge } = await db.transaction(async (tx) => {
    await lockCaller(tx, caller, now)
    const factor = await findFactor(tx, caller, factor_id, now)
    const challenge = await insertChallenge(tx, { factor_id, session_id }, now)
    return { ...factor, challenge }
  })
  const { id, expires_at } = challenge
  if (factor_type === 'totp') return { id, type: factor_type, expires_at }
  const publicKey = await askForPasskey(context, caller, challenge)
  const webauthn = { type: 'request' as const, credential_options: { publicKey } }
  return { id, type: factor_type, expires_at, webauthn }
}

type Answer = { factor_id: string; challenge_id: string; code: string }

export function verifyFactor(
  context: AccountsContext,
  caller: SignedInUser,
  { factor_id, challenge_id, code }: Answer,
  device: Device,
): Promise<Session> {
  return proveFactor(context, caller, device, async (tx, { user, proofs }, now) => {
    const factor = await findFactor(tx, caller, factor_id, now)
    const isProof = isVerified(factor)
    // Else an attacker who knows the password could enroll one first.
    if (!isProof) requireSecondFactor(proofs)
    const isAsked = and(
      eq(mfa_challenges.id, challenge_id),
      eq(mfa_challenges.factor_id, factor_id),
      eq(mfa_challenges.session_id, caller.session_id),
    )
    const isOpen = and(isAsked, gt(mfa_challenges.expires_at, now))
    if ((await tx.$count(mfa_challenges, isOpen)) === 0) throw accountProblem('auth.mfa_challenge_expired')

    const secret = factor.secret && unseal(context.secret.key('second factors'), factor.secret)
    const step = secret ? stepOfCode(secret, code, now) : undefined
    if (step === undefined) return 'wrong'
    if (step <= factor.last_step) return 'repeated'
    await tx
      .update(mfa_factors)
      .set({ last_step: step, status: 'verified', updated_at: now })
      .where(eq(mfa_factors.id, factor_id))
    await tx.delete(mfa_challenges).where(isAsked)
    if (isProof) return { method: 'totp', isProof }
    const added = { user, factor_id, device, isFirst: !proofs.has_factor }
    return { method: 'totp', isProof, finish: () => addFactor(tx, context, 'totp', added, now) }
  })
}

type NewSecret = { secret: string; uri: string; qr_code: string }

/** `qr_code` is bare SVG without "#": auth-js puts "data:image/svg+xml;utf-8," before it as it is. */
function makeSecret(issuer: string, label: string): NewSecret {
  const secret = new Secret({ size: 20 })
  const uri = new TOTP({ issuer, label, secret }).toString()
  return { secret: secret.base32, uri, qr_code: renderSVG(uri, { border: 2 }) }
}

/** The time step that `code` belongs to: this one, the one before or the one after; undefined when it is wrong. */
function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  // The library throws for other signs than ASCII.
  if (!/^\d{6}$/.test(code)) return undefined
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

// Passkeys are added, and given as a second factor after the password. As auth-js calls them: `passkey`, `mfa.webauthn`.

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

type SignedChallenge = { challenge_id: string; credential: AuthenticationResponseJSON }

/** Any passkey of the account, whichever factor was chosen. */
async function askForPasskey(context: AccountsContext, caller: SignedInUser, { challenge }: Challenge) {
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
