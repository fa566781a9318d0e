// Signing out: this session, the others, or all.
import type { Parts } from './parts.ts'
import { endSessions } from './sessions.ts'

/** An expired token will do, and a session that has ended already is no error: who wants out gets out. */
export async function signOut(
  { db, clock, accessTokens }: Parts,
  token: string,
  scope: 'global' | 'local' | 'others',
): Promise<void> {
  const { sub: user_id, session_id } = await accessTokens.readExpired(token)
  const which = { global: {}, local: { only: session_id }, others: { except: session_id } }[scope]
  await endSessions(db, { user_id, ...which }, 'signed out', clock())
}
