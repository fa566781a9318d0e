// Second factors: enrolled, proven by a code, asked for after each sign-in, removed. Each code is taken once.
import { and, eq, gt, lt } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { book } from '#content/book.ts'
import { mfa_challenges, mfa_factors, sessions } from '../db/schema/auth.ts'
import { Problem } from '../problem.ts'
import { audit, isVerified, type Account } from './accounts.ts'
import type { SignedInUser } from './guard.ts'
import type { Device, Parts } from './parts.ts'
import { seal, unseal } from './seal.ts'
import { endSessions, raiseSession, type Session } from './sessions.ts'
import { makeSecret, stepOfCode } from './totp.ts'

const mostFactors = 10
const challengeSeconds = 300
const forgottenAfter = 10 * 60_000

/** Throws auth.insufficient_aal, auth.mfa_factor_name_conflict, auth.too_many_enrolled_mfa_factors. */
export async function enrolFactor(
  { db, clock, factorKey }: Parts,
  caller: SignedInUser,
  account: Account,
  { friendly_name = null, issuer = book.title }: { friendly_name?: string | null; issuer?: string },
) {
  requireSecondFactor(caller)
  const now = clock()
  const forgotten = new Date(now.getTime() - forgottenAfter)
  await db
    .delete(mfa_factors)
    .where(
      and(
        eq(mfa_factors.user_id, account.id),
        eq(mfa_factors.status, 'unverified'),
        lt(mfa_factors.created_at, forgotten),
      ),
    )
  const kept = account.factors.filter(
    (factor) => isVerified(factor) || new Date(factor.created_at) >= forgotten,
  )
  if (kept.length >= mostFactors) throw new Problem('auth.too_many_enrolled_mfa_factors')
  if (friendly_name && kept.some((factor) => factor.friendly_name === friendly_name)) {
    throw new Problem('auth.mfa_factor_name_conflict')
  }
  const { secret, uri, qr_code } = makeSecret(issuer, account.email)
  const id = uuidv7()
  const times = { created_at: now, updated_at: now }
  await db
    .insert(mfa_factors)
    .values({ id, user_id: account.id, friendly_name, secret: seal(factorKey, secret), ...times })
  return { id, type: 'totp' as const, friendly_name: friendly_name ?? '', totp: { qr_code, secret, uri } }
}

/** Throws auth.mfa_factor_not_found. */
export async function challengeFactor({ db, clock }: Parts, caller: SignedInUser, factor_id: string) {
  await getFactor(db, caller, factor_id)
  const now = clock()
  const expires_at = new Date(now.getTime() + challengeSeconds * 1000)
  const id = uuidv7()
  await db.insert(mfa_challenges).values({ id, factor_id, created_at: now, expires_at })
  return { id, type: 'totp' as const, expires_at: Math.floor(expires_at.getTime() / 1000) }
}

type Answer = { factor_id: string; challenge_id: string; code: string }

/**
 * Raises the session to aal2. The account's first factor also ends its other sessions that have none.
 * Throws auth.mfa_factor_not_found, auth.mfa_challenge_expired, auth.mfa_verification_failed.
 */
export async function verifyFactor(
  { db, clock, limits, factorKey }: Parts,
  caller: SignedInUser,
  { factor_id, challenge_id, code }: Answer,
  device: Device,
): Promise<Session> {
  await limits.code(caller.id, device.network)
  const now = clock()
  const factor = await getFactor(db, caller, factor_id)
  const isAsked = and(eq(mfa_challenges.id, challenge_id), eq(mfa_challenges.factor_id, factor_id))
  const [challenge] = await db
    .select()
    .from(mfa_challenges)
    .where(and(isAsked, gt(mfa_challenges.expires_at, now)))
  if (!challenge) throw new Problem('auth.mfa_challenge_expired')
  const step = stepOfCode(unseal(factorKey, factor.secret), code, now)
  if (step === undefined) throw new Problem('auth.mfa_verification_failed')

  return db.transaction(async (tx) => {
    // Of two calls with the same code, the later finds the step taken.
    const [taken] = await tx
      .update(mfa_factors)
      .set({ last_step: step, status: 'verified', updated_at: now })
      .where(and(eq(mfa_factors.id, factor_id), lt(mfa_factors.last_step, step)))
      .returning({ id: mfa_factors.id })
    if (!taken) throw new Problem('auth.mfa_verification_failed')
    await tx.delete(mfa_challenges).where(isAsked)
    const session = await raiseSession(tx, caller.session_id, now)
    if (!isVerified(factor)) {
      await audit(tx, { user_id: caller.id, event: 'factor_added', detail: { factor_id } }, now)
      if (!caller.has_factor)
        await endSessions(tx, { user_id: caller.id, aal: 'aal1' }, 'second factor added', now)
    }
    return session
  })
}

/** The last one's removal makes every session an ordinary one. Throws auth.mfa_factor_not_found, auth.insufficient_aal. */
export async function removeFactor(
  { db, clock }: Parts,
  caller: SignedInUser,
  factor_id: string,
): Promise<void> {
  const factor = await getFactor(db, caller, factor_id)
  if (isVerified(factor)) requireSecondFactor(caller)
  const now = clock()
  await db.transaction(async (tx) => {
    await tx.delete(mfa_factors).where(eq(mfa_factors.id, factor_id))
    await audit(tx, { user_id: caller.id, event: 'factor_removed', detail: { factor_id } }, now)
    const isLeft = and(eq(mfa_factors.user_id, caller.id), eq(mfa_factors.status, 'verified'))
    if ((await tx.$count(mfa_factors, isLeft)) > 0) return
    await tx.update(sessions).set({ aal: 'aal1' }).where(eq(sessions.user_id, caller.id))
  })
}

function requireSecondFactor({ has_factor, aal }: SignedInUser): void {
  if (has_factor && aal !== 'aal2') throw new Problem('auth.insufficient_aal')
}

/** Somebody else's factor does not exist. */
async function getFactor(db: Parts['db'], caller: SignedInUser, id: string) {
  const [factor] = await db
    .select()
    .from(mfa_factors)
    .where(and(eq(mfa_factors.id, id), eq(mfa_factors.user_id, caller.id)))
  if (!factor) throw new Problem('auth.mfa_factor_not_found')
  return factor
}
