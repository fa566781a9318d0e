// Renewing a session by its refresh token, and telling a repeated call from a stolen token.
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { sessions } from './schema.ts'
import { Problem } from '../../problems.ts'
import { audit, isBanned, type Account } from './accounts.ts'
import type { Device } from './device.ts'
import type { AccountsContext } from './accounts-context.ts'
import { endSessions, isOver, type Session } from './sessions.ts'

/** auth-js repeats a renewal whose answer was lost for up to 25 s; until then the old token gives the same successor. */
const leewaySeconds = 30

/**
 * The session one step further. Of any number of renewals with one token at once, one takes the step and all get its
 * result. A token that was renewed longer ago than the leeway, or is older still, is a stolen one: it ends the session.
 */
export async function renewSession(
  { db, clock, accounts, refreshTokens }: AccountsContext,
  token: string,
  device: Device,
): Promise<{ session: Session; account: Account }> {
  const now = clock()
  const claimed = refreshTokens.read(token)
  const found = claimed && (await findSession(db, claimed.session_id))
  if (!claimed || !found || !(await claimed.isGenuine(found)))
    throw new Problem('auth.refresh_token_not_found')
  if (isOver(found, now)) throw new Problem('auth.session_expired')
  const account = await accounts.getById(found.user_id)
  if (isBanned(account, now)) throw new Problem('auth.user_banned')

  const [renewed] = await db
    .update(sessions)
    .set({
      counter: claimed.counter + 1,
      refreshed_at: now,
      previous_refreshed_at: sql`${sessions.refreshed_at}`,
    })
    .where(and(eq(sessions.id, found.id), eq(sessions.counter, claimed.counter), isNull(sessions.revoked_at)))
    .returning()
  if (renewed) return { session: renewed, account }

  const current = await findSession(db, found.id)
  if (!current) throw new Problem('auth.refresh_token_not_found')
  const age = now.getTime() - current.refreshed_at.getTime()
  const isRepeated = current.counter === claimed.counter + 1 && age <= leewaySeconds * 1000
  if (isRepeated) return { session: current, account }
  await endStolen(db, current, device, now)
  throw new Problem('auth.refresh_token_already_used')
}

async function endStolen(db: Db, { id, user_id }: Session, { ip }: Device, now: Date): Promise<void> {
  await endSessions(db, { user_id, only: id }, 'token reused', now)
  await audit(db, { user_id, event: 'refresh_token_reused', ip, detail: { session_id: id } }, now)
}

/** One that was ended is not found. */
async function findSession(db: Db, id: string) {
  const [session] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.revoked_at)))
  return session
}
