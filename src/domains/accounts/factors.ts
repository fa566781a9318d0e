// Authenticator apps, whose codes are accepted once each, and the challenge of any enrolled second factor.
import { and, eq, gt, lte } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { v7 as uuidv7 } from 'uuid'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem, isVerified } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { insertChallenge } from './challenges.ts'
import { proveFactor } from './factor-proof.ts'
import type { Device, Session } from './sessions.ts'
import { addFactor, enrolmentMs, findFactor, maxFactors } from './enrolled-factors.ts'
import { comparePassword, lockCaller, lockProvenCaller, requireSecondFactor } from './recent-proof.ts'
import { mfa_challenges, mfa_factors } from '#tables/accounts.ts'
import { lockSecret, seal, unseal } from '#platform/secrets.ts'
import { askForPasskey } from './passkeys.ts'

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
    // An attacker who knows the password could enroll one first.
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
