// The sessions of one’s own account: their owner sees them and ends one. Sign-out with `others` ends all others.
import { and, eq, desc, gt, isNull } from 'drizzle-orm'
import type { SignedInUser } from '#platform/http/route.ts'
import { audit } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { sessions } from '#tables/accounts.ts'
import { requireRecentProof } from './recent-proof.ts'
import type { OwnSession } from '#contract/accounts/own-account.ts'
import { describeBrowser } from '#platform/describe-browser.ts'
import { endSessions, idleSince } from './sessions.ts'

type Caller = Pick<SignedInUser, 'id' | 'session_id'>

/** Those that still sign in, the last seen first. */
export async function listOwnSessions(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  { id: user_id, session_id }: Caller,
): Promise<OwnSession[]> {
  const now = clock()
  const isLiving = and(
    eq(sessions.user_id, user_id),
    isNull(sessions.revoked_at),
    gt(sessions.not_after, now),
    gt(sessions.refreshed_at, idleSince(now)),
  )
  const rows = await db
    .select()
    .from(sessions)
    .where(isLiving)
    .orderBy(desc(sessions.refreshed_at), desc(sessions.id))
  return rows.map((row) => toOwnSession(row, session_id))
}

function toOwnSession(row: typeof sessions.$inferSelect, current_id: string): OwnSession {
  const { id, user_agent, created_at, refreshed_at } = row
  return {
    id,
    is_current: id === current_id,
    ...describeBrowser(user_agent),
    signed_in_at: created_at.toISOString(),
    last_seen_at: refreshed_at.toISOString(),
  }
}

/** One that has ended already is no failure. With a recent proof: else a stolen session could sign its owner out. */
export async function endOwnSession(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  caller: SignedInUser,
  id: string,
): Promise<void> {
  const now = clock()
  requireRecentProof(caller, now)
  await db.transaction(async (tx) => {
    const count = await endSessions(tx, { user_id: caller.id, only: id }, 'ended by its user', now)
    if (count === 0) return
    const detail = { session_id: id }
    await audit(tx, { user_id: caller.id, event: 'session_ended', detail }, now)
  })
}
