// Signing out: this session, the others, or all.
import { and, eq, isNull } from 'drizzle-orm'
import { sessions } from '../db/schema/auth.ts'
import type { Parts } from './parts.ts'
import { endSessions } from './sessions.ts'

/**
 * Who wants out gets out: an expired token will do, and a session that has ended already is no error. But only a
 * living session with a fresh token reaches others, else an old token found somewhere could sign its owner out for good.
 */
export async function signOut(
  { db, clock, accessTokens }: Parts,
  token: string,
  scope: 'global' | 'local' | 'others',
): Promise<void> {
  const now = clock()
  const { sub: user_id, session_id, exp } = await accessTokens.readExpired(token)
  const isLiving = and(eq(sessions.id, session_id), isNull(sessions.revoked_at))
  const reachesOthers = exp * 1000 > now.getTime() && (await db.$count(sessions, isLiving)) > 0
  if (scope === 'others') {
    if (reachesOthers) await endSessions(db, { user_id, except: session_id }, 'signed out elsewhere', now)
  } else {
    const isGlobal = scope === 'global' && reachesOthers
    await endSessions(db, { user_id, ...(!isGlobal && { only: session_id }) }, 'signed out', now)
  }
}
