// Challenges of second factors: each is answered once, within five minutes, and from the session that asked for it.
import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Transaction } from '#platform/db/client.ts'
import { accountProblem } from './accounts.ts'
import { mfa_challenges } from '#tables/accounts.ts'

const maxChallenges = 20
export const challengeMs = 300_000

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
