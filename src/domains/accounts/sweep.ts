// The hourly sweep of accounts: deletes what is unconfirmed or has expired.
import { and, eq, gt, lt, not, or, sql } from 'drizzle-orm'
import {
  audit_log,
  mfa_challenges,
  mfa_factors,
  one_time_tokens,
  pending_sign_ups,
  sessions,
  users,
  wrong_codes,
} from '#tables/accounts.ts'
import { deleteOldLimits } from '#platform/http/rate-limits.ts'
import { accountMailJob } from './account.emails.ts'
import { deleteUnconfirmed } from './accounts.ts'
import { isForgotten } from './factors.ts'
import { deleteOldDevices, idleDays } from './sessions.ts'
import type { AccountsContext } from './accounts-context.ts'
import { forgottenAfter } from './wrong-codes.ts'
import { mailboxDays, mailboxPrefix } from './mail-limits.ts'
import { dayMs, hourMs } from '#contract/durations.ts'
import { securityEventDays } from '#contract/accounts/users.ts'

/** A wrong address, or another user's: its owner may sign up afresh after this. */
export const unconfirmedHours = 72

/** Days after its end in which a session's token is recognized as reused, not only as unknown. */
export const graceDays = 7

export async function sweep({
  db,
  clock,
  queue,
}: Pick<AccountsContext, 'db' | 'clock' | 'queue'>): Promise<void> {
  const before = (milliseconds: number) => new Date(clock().getTime() - milliseconds)
  const forgotten = lt(users.created_at, before(unconfirmedHours * hourMs))
  await db.transaction((tx) => deleteUnconfirmed(tx, forgotten))
  // Those of sign-ups say which browser has chosen which password, should it ask for the mail again.
  const { type, expires_at } = one_time_tokens
  const isSignUp = eq(type, 'signup')
  await db
    .delete(one_time_tokens)
    .where(
      or(
        and(not(isSignUp), lt(expires_at, before(0))),
        and(isSignUp, lt(expires_at, before(unconfirmedHours * hourMs))),
      ),
    )
  await deleteOldDevices(db, clock())
  const isMailed = queue.isUnderWay(accountMailJob, 'id', sql`${pending_sign_ups.id}::text`)
  await db.delete(pending_sign_ups).where(and(lt(pending_sign_ups.created_at, before(dayMs)), not(isMailed)))
  await db.delete(mfa_challenges).where(lt(mfa_challenges.expires_at, before(0)))
  await db.delete(mfa_factors).where(isForgotten(clock()))
  // Rows ahead of the clock were counted while it was ahead itself; they would count until then.
  const { last_at } = wrong_codes
  await db.delete(wrong_codes).where(or(lt(last_at, before(forgottenAfter)), gt(last_at, before(-dayMs))))
  await db
    .delete(sessions)
    .where(
      or(
        lt(sessions.revoked_at, before(graceDays * dayMs)),
        lt(sessions.not_after, before(graceDays * dayMs)),
        lt(sessions.refreshed_at, before((idleDays + graceDays) * dayMs)),
      ),
    )
  await deleteOldLimits(db, clock(), { prefix: mailboxPrefix, days: mailboxDays })
  await db.delete(audit_log).where(lt(audit_log.created_at, before(securityEventDays * dayMs)))
}
