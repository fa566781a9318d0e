// Signing out: this session, the others, or all.
import { Refusal } from '#platform/refusal.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { sessions } from './schema.ts'
import { Problem } from '../../problems.ts'
import { accountMailJob } from './account-mail.ts'
import { audit } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { comparePassword, lockProvenCaller } from './recent-proof.ts'
import { endSessions } from './sessions.ts'

type SignOut = {
  token: string
  scope: 'global' | 'local' | 'others'
  current_password: string | undefined
  network: string
}

/**
 * Who wants out gets out: an expired token will do, and a session that has ended already is no error. Only a living
 * session with a fresh token and a recent proof reaches others: else an old token found somewhere could sign its owner
 * out. Without that proof, `others` is refused, and `global`, which auth-js asks for unless told otherwise, ends the
 * caller's own session alone.
 */
export async function signOut(
  context: AccountsContext,
  { token, scope, current_password, network }: SignOut,
): Promise<void> {
  const { db, clock, accessTokens } = context
  const now = clock()
  const { sub: user_id, session_id, exp } = await accessTokens.readExpired(token)
  const isLiving = and(eq(sessions.id, session_id), isNull(sessions.revoked_at))
  const reachesOthers = exp * 1000 > now.getTime() && (await db.$count(sessions, isLiving)) > 0
  const caller = { id: user_id, session_id }
  if (scope !== 'local' && reachesOthers) {
    const password_hash = await comparePassword(context, { user_id, network }, current_password)
    const ended = db.transaction(async (tx) => {
      const user = await lockProvenCaller(tx, caller, password_hash, now)
      await endOthers(tx, context, { ...user, session_id }, now)
    })
    await ended.catch((error: unknown) => {
      if (scope === 'global' && error instanceof Refusal) return
      const isCodeMissing = error instanceof Refusal && error.code === 'auth.insufficient_aal'
      throw isCodeMissing ? new Problem('auth.sign_out_insufficient_aal') : error
    })
  }
  if (scope !== 'others') await endSessions(db, { user_id, only: session_id }, 'signed out', now)
}

async function endOthers(
  tx: Transaction,
  { queue }: Pick<AccountsContext, 'queue'>,
  { id: user_id, email, session_id }: { id: string; email: string; session_id: string },
  now: Date,
): Promise<void> {
  const count = await endSessions(tx, { user_id, except: session_id }, 'signed out elsewhere', now)
  if (count === 0) return
  await audit(tx, { user_id, event: 'other_sessions_ended', detail: { count } }, now)
  await queue.enqueue(tx, accountMailJob, { kind: 'sessions_ended', email })
}
