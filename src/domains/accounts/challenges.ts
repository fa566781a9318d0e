// What a second factor responds to, how its proof counts, and the WebAuthn ceremonies.
import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Transaction } from '#platform/db/client.ts'
import { accountProblem } from './accounts.ts'
import { mfa_challenges } from '#tables/accounts.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import type { AccountsContext } from './accounts-context.ts'
import { rememberDevice, type Device, raiseSession, type FactorMethod, type Session } from './sessions.ts'
import {
  recordWrongProof,
  countWrongCode,
  deleteWrongCodes,
  findCodeHolder,
  limitWrongCodes,
} from './limits.ts'
import { lockCaller } from './guard.ts'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'

// What a second factor responds to: once, within five minutes, and from where it was asked for.

const maxChallenges = 20
const challengeMs = 300_000

type ChallengeSubject = { factor_id: string | null; session_id: string | null }

export type Challenge = { id: string; challenge: string; expires_at: number }

export async function insertChallenge(
  tx: Db | Transaction,
  subject: ChallengeSubject,
  now: Date,
): Promise<Challenge> {
  const { session_id } = subject
  if (session_id !== null) {
    const isOwn = eq(mfa_challenges.session_id, session_id)
    await tx.delete(mfa_challenges).where(and(isOwn, lte(mfa_challenges.expires_at, now)))
    if ((await tx.$count(mfa_challenges, isOwn)) >= maxChallenges) {
      throw accountProblem('auth.over_request_rate_limit', { retryAfter: challengeMs / 1000 })
    }
  }
  const id = uuidv7()
  const challenge = randomBytes(32).toString('base64url')
  const expires_at = new Date(now.getTime() + challengeMs)
  await tx.insert(mfa_challenges).values({ id, ...subject, challenge, created_at: now, expires_at })
  return { id, challenge, expires_at: Math.floor(expires_at.getTime() / 1000) }
}

/** It is used up, whether or not the response is right. Undefined when it is too late, or was asked for elsewhere. */
export async function takeChallenge(
  db: Db | Transaction,
  { id, factor_id, session_id }: ChallengeSubject & { id: string },
  now: Date,
): Promise<string | undefined> {
  const { factor_id: factor, session_id: session, expires_at } = mfa_challenges
  const [taken] = await db
    .delete(mfa_challenges)
    .where(
      and(
        eq(mfa_challenges.id, id),
        factor_id === null ? isNull(factor) : eq(factor, factor_id),
        session_id === null ? isNull(session) : eq(session, session_id),
        gt(expires_at, now),
      ),
    )
    .returning({ challenge: mfa_challenges.challenge })
  return taken?.challenge ?? undefined
}

// The proof of any second factor: wrong ones are counted alike, and a right one raises the session.

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

// The WebAuthn ceremonies, by their library. Users are always verified, so that a passkey is two factors.

/** EdDSA, ES256 and RS256: whatever the machine's own OpenSSL can do besides. */
const algorithms = [-8, -7, -257]

/** Loaded with the first passkey: it takes 30 MB and half a second. In the bundle its own import of Reflect comes too late. */
async function library() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}

export type RelyingParty = { rpID: string; origin: string }

export function relyingParty({ settings }: Pick<AccountsContext, 'settings'>): RelyingParty {
  const { hostname, origin } = new URL(settings.get().shop.site_url)
  return { rpID: hostname, origin }
}

type Known = Pick<WebAuthnCredential, 'id'> & { transports: string[] }

type NewPasskey = {
  rpName: string
  challenge: string
  user: { id: string; email: string; display_name: string | null }
  known: Known[]
}

export async function creationOptions({ rpID }: RelyingParty, newPasskey: NewPasskey) {
  const { generateRegistrationOptions } = await library()
  const { challenge, rpName, user, known } = newPasskey
  return generateRegistrationOptions({
    rpID,
    rpName,
    challenge: Buffer.from(challenge, 'base64url'),
    userID: Buffer.from(user.id),
    userName: user.email,
    userDisplayName: user.display_name ?? user.email,
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** Without `known` the browser offers all that it has for this shop. */
export async function requestOptions({ rpID }: RelyingParty, challenge: string, known?: Known[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    userVerification: 'required',
    ...(known && { allowCredentials: known }),
  })
}

/**
 * Undefined when the response is not right, for whatever reason. None with certificates is looked at: for them the library
 * would call an address that they name.
 */
export async function verifyCreation(
  { rpID, origin }: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
) {
  const { verifyRegistrationResponse } = await library()
  if (await hasCertificates(response)) return undefined
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined)
  return verified?.registrationInfo
}

async function hasCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    const format = attestation.get('fmt')
    return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined)
  } catch {
    return true
  }
}

/** As above. A counter that does not go on is not right either. */
export async function verifyRequest(
  { rpID, origin }: RelyingParty,
  response: AuthenticationResponseJSON,
  { challenge, credential }: { challenge: string; credential: WebAuthnCredential },
) {
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response,
    credential,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo : undefined
}
