// Sessions: opened by a sign-in, renewed by refresh tokens, ended by the person, by a change, or by a reused token.
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Transaction } from '../db/client.ts'
import { sessions, users } from '../db/schema/auth.ts'
import { Problem } from '../problem.ts'
import { audit, isBanned, type Account } from './accounts.ts'
import type { Device, Parts } from './parts.ts'

const day = 86_400_000
export const idleDays = 30
const longestDays = 90

/** auth-js repeats a renewal whose answer was lost for up to 25 s; until then the old token gives the same successor. */
const leewaySeconds = 30

export type Session = Pick<
  typeof sessions.$inferSelect,
  'id' | 'user_id' | 'counter' | 'salt' | 'aal' | 'amr'
>

type Method = 'password' | 'otp' | 'recovery'

type Opening = { user_id: string; method: Method; device: Device; now: Date }

export async function openSession(
  db: Db | Transaction,
  { user_id, method, device, now }: Opening,
): Promise<Session> {
  const seen = db
    .$with('seen')
    .as(
      db.update(users).set({ last_sign_in_at: now }).where(eq(users.id, user_id)).returning({ id: users.id }),
    )
  const [session] = await db
    .with(seen)
    .insert(sessions)
    .values({
      id: uuidv7(),
      user_id,
      salt: randomBytes(16),
      amr: [{ method, timestamp: Math.floor(now.getTime() / 1000) }],
      ip: device.ip,
      user_agent: device.user_agent,
      created_at: now,
      refreshed_at: now,
      not_after: new Date(now.getTime() + longestDays * day),
    })
    .returning()
  if (!session) throw new Error('an insert returned no row')
  return session
}

/**
 * The session one step further. Of any number of renewals with one token at once, one takes the step and all get its
 * result. A token that was renewed longer ago than the leeway, or is older still, is a stolen one: it ends the session.
 */
export async function renewSession(
  { db, clock, accounts, refreshTokens }: Parts,
  token: string,
  device: Device,
): Promise<{ session: Session; account: Account }> {
  const now = clock()
  const claimed = refreshTokens.read(token)
  const found = claimed && (await findSession(db, claimed.session_id))
  if (!claimed || !found || !claimed.isGenuine(found.salt) || found.revoked_at) {
    throw new Problem('auth.refresh_token_not_found')
  }
  if (isOver(found, now)) throw new Problem('auth.session_expired')
  const account = await accounts.getById(found.user_id)
  if (isBanned(account, now)) throw new Problem('auth.user_banned')

  const [renewed] = await db
    .update(sessions)
    .set({ counter: claimed.counter + 1, refreshed_at: now })
    .where(and(eq(sessions.id, found.id), eq(sessions.counter, claimed.counter), isNull(sessions.revoked_at)))
    .returning()
  if (renewed) return { session: renewed, account }

  const current = await findSession(db, found.id)
  if (!current || current.revoked_at) throw new Problem('auth.refresh_token_not_found')
  const age = now.getTime() - current.refreshed_at.getTime()
  if (current.counter === claimed.counter + 1 && age <= leewaySeconds * 1000)
    return { session: current, account }
  await endSessions(db, { only: found.id, user_id: found.user_id }, 'token reused', now)
  await audit(
    db,
    {
      user_id: found.user_id,
      event: 'refresh_token_reused',
      ip: device.ip,
      detail: { session_id: found.id },
    },
    now,
  )
  throw new Problem('auth.refresh_token_already_used')
}

type Which = { user_id: string; only?: string; except?: string; aal?: 'aal1' }

export async function endSessions(
  db: Db | Transaction,
  { user_id, only, except, aal }: Which,
  revoked_reason: string,
  now: Date,
): Promise<void> {
  await db
    .update(sessions)
    .set({ revoked_at: now, revoked_reason })
    .where(
      and(
        eq(sessions.user_id, user_id),
        isNull(sessions.revoked_at),
        only ? eq(sessions.id, only) : undefined,
        except ? ne(sessions.id, except) : undefined,
        aal ? eq(sessions.aal, aal) : undefined,
      ),
    )
}

/** After a second factor: the session's new strength, and a new refresh token with it. */
export async function raiseSession(tx: Transaction, id: string, now: Date): Promise<Session> {
  const proof = JSON.stringify([{ method: 'totp', timestamp: Math.floor(now.getTime() / 1000) }])
  const [session] = await tx
    .update(sessions)
    .set({
      aal: 'aal2',
      amr: sql`${sessions.amr} || ${proof}::jsonb`,
      counter: sql`${sessions.counter} + 1`,
      refreshed_at: now,
    })
    .where(and(eq(sessions.id, id), isNull(sessions.revoked_at)))
    .returning()
  if (!session) throw new Problem('auth.session_not_found')
  return session
}

function isOver({ not_after, refreshed_at }: typeof sessions.$inferSelect, now: Date): boolean {
  return not_after <= now || refreshed_at.getTime() + idleDays * day <= now.getTime()
}

async function findSession(db: Db, id: string) {
  const [session] = await db.select().from(sessions).where(eq(sessions.id, id))
  return session
}
