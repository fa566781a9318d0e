// Second factors. Each code is accepted once.
import { and, eq, gt, lte, ne, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { Problem } from '../../problems.ts'
import { accountMailJob } from './account-mail.ts'
import type { AccountsContext } from './accounts-context.ts'
import { audit, isVerified } from './accounts.ts'
import { deleteOtherDevices, type Device } from './devices.ts'
import { proveFactor } from './prove-factor.ts'
import { comparePassword, lockCaller, lockProvenCaller, requireSecondFactor } from './recent-proof.ts'
import { countFactors, deleteRecoveryCodes } from './recovery-codes.ts'
import { mfa_challenges, mfa_factors, sessions } from './schema.ts'
import { lockSecret, seal, unseal } from './secrets.ts'
import { endSessions, type Session } from './sessions.ts'
import { deleteAllWrongCodes } from './wrong-codes.ts'

const maxFactors = 10
const maxChallenges = 20
const challengeMs = 300_000
const enrolmentMs = 10 * 60_000

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
  const { db, clock, secrets } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const { title } = await context.letterhead()
  const now = clock()
  const id = uuidv7()
  return db.transaction(async (tx) => {
    const sealing = await lockSecret(tx, secrets)
    const user = await lockProvenCaller(tx, caller, password_hash, now)
    await tx.delete(mfa_factors).where(and(eq(mfa_factors.user_id, user.id), isForgotten(now)))
    const own = await tx.select().from(mfa_factors).where(eq(mfa_factors.user_id, user.id))
    if (own.filter(({ factor_type }) => factor_type === 'totp').length >= maxFactors)
      throw new Problem('auth.too_many_enrolled_mfa_factors')
    if (friendly_name && own.some((factor) => factor.friendly_name === friendly_name)) {
      throw new Problem('auth.mfa_factor_name_conflict')
    }
    const { secret, uri, qr_code } = makeSecret(issuer ?? title, user.email)
    const times = { created_at: now, updated_at: now }
    const sealed = seal(sealing.key('second factors'), secret)
    await tx.insert(mfa_factors).values({ id, user_id: user.id, friendly_name, secret: sealed, ...times })
    return { id, type: 'totp' as const, friendly_name: friendly_name ?? '', totp: { qr_code, secret, uri } }
  })
}

export function isForgotten(now: Date) {
  const oldest = new Date(now.getTime() - enrolmentMs)
  return and(eq(mfa_factors.status, 'unverified'), lte(mfa_factors.created_at, oldest))
}

export async function challengeFactor(
  { db, clock }: AccountsContext,
  caller: SignedInUser,
  factor_id: string,
) {
  const now = clock()
  const expires_at = new Date(now.getTime() + challengeMs)
  const id = uuidv7()
  await db.transaction(async (tx) => {
    await lockCaller(tx, caller, now)
    await findFactor(tx, caller, factor_id, now)
    const isOwn = eq(mfa_challenges.session_id, caller.session_id)
    await tx.delete(mfa_challenges).where(and(isOwn, lte(mfa_challenges.expires_at, now)))
    if ((await tx.$count(mfa_challenges, isOwn)) >= maxChallenges) {
      throw new Problem('auth.over_request_rate_limit', { retryAfter: challengeMs / 1000 })
    }
    const { session_id } = caller
    await tx.insert(mfa_challenges).values({ id, factor_id, session_id, created_at: now, expires_at })
  })
  return { id, type: 'totp' as const, expires_at: Math.floor(expires_at.getTime() / 1000) }
}

type Answer = { factor_id: string; challenge_id: string; code: string }

export function verifyFactor(
  context: AccountsContext,
  caller: SignedInUser,
  { factor_id, challenge_id, code }: Answer,
  device: Device,
): Promise<Session> {
  return proveFactor(context, caller, device, async (tx, { user, proofs, sealing }, now) => {
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
    if ((await tx.$count(mfa_challenges, isOpen)) === 0) throw new Problem('auth.mfa_challenge_expired')

    const secret = factor.secret && unseal(sealing.key('second factors'), factor.secret)
    const step = secret ? stepOfCode(secret, code, now) : undefined
    if (step === undefined) return 'wrong'
    if (step <= factor.last_step) return 'repeated'
    await tx
      .update(mfa_factors)
      .set({ last_step: step, status: 'verified', updated_at: now })
      .where(eq(mfa_factors.id, factor_id))
    await tx.delete(mfa_challenges).where(isAsked)
    const added = { user, factor_id, device, isFirst: !proofs.has_factor }
    return isProof
      ? { method: 'totp', isProof }
      : { method: 'totp', isProof, finish: () => addFactor(tx, context, added, now) }
  })
}

type Added = { user: { id: string; email: string }; factor_id: string; device: Device; isFirst: boolean }

/** The first factor ends the sessions, and deletes the known devices, that have none. */
async function addFactor(
  tx: Transaction,
  { queue }: Pick<AccountsContext, 'queue'>,
  { user: { id: user_id, email }, factor_id, device, isFirst }: Added,
  now: Date,
): Promise<void> {
  const isOther = and(eq(mfa_factors.user_id, user_id), ne(mfa_factors.id, factor_id))
  await tx.delete(mfa_factors).where(and(isOther, eq(mfa_factors.status, 'unverified')))
  if (isFirst) {
    await endSessions(tx, { user_id, aal: 'aal1' }, 'second factor added', now)
    await deleteOtherDevices(tx, user_id, device)
  }
  await audit(tx, { user_id, event: 'factor_added', detail: { factor_id } }, now)
  await queue.enqueue(tx, accountMailJob, { kind: 'factor_added', email })
}

export async function removeFactor(
  context: AccountsContext,
  caller: SignedInUser,
  { factor_id, current_password }: { factor_id: string; current_password?: string | undefined },
  { network }: Device,
): Promise<void> {
  const { db, clock, queue } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const now = clock()
  await db.transaction(async (tx) => {
    const { id: user_id, email } = await lockProvenCaller(tx, caller, password_hash, now)
    const factor = await findFactor(tx, caller, factor_id, now)
    await tx.delete(mfa_factors).where(eq(mfa_factors.id, factor_id))
    if (!isVerified(factor)) return
    if ((await countFactors(tx, user_id)) === 0) {
      await deleteRecoveryCodes(tx, user_id)
      await lowerSessions(tx, user_id)
      await deleteAllWrongCodes(tx, user_id)
    }
    await audit(tx, { user_id, event: 'factor_removed', detail: { factor_id } }, now)
    await queue.enqueue(tx, accountMailJob, { kind: 'factor_removed', email })
  })
}

async function lowerSessions(tx: Transaction, user_id: string): Promise<void> {
  await tx.update(sessions).set({ aal: 'aal1', factor_proved_at: null }).where(eq(sessions.user_id, user_id))
}

async function findFactor(tx: Transaction, { id }: SignedInUser, factor_id: string, now: Date) {
  const oldest = new Date(now.getTime() - enrolmentMs)
  const isLiving = or(eq(mfa_factors.status, 'verified'), gt(mfa_factors.created_at, oldest))
  const isOwn = and(
    eq(mfa_factors.id, factor_id),
    eq(mfa_factors.user_id, id),
    eq(mfa_factors.factor_type, 'totp'),
  )
  const [factor] = await tx.select().from(mfa_factors).where(and(isOwn, isLiving))
  if (!factor) throw new Problem('auth.mfa_factor_not_found')
  return factor
}

export type NewSecret = { secret: string; uri: string; qr_code: string }

/** `qr_code` is bare SVG without "#": auth-js puts "data:image/svg+xml;utf-8," before it as it is. */
function makeSecret(issuer: string, label: string): NewSecret {
  const secret = new Secret({ size: 20 })
  const uri = new TOTP({ issuer, label, secret }).toString()
  return { secret: secret.base32, uri, qr_code: renderSVG(uri, { border: 2 }) }
}

/** The time step that `code` belongs to: this one, the one before or the one after; undefined when it is wrong. */
function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}
