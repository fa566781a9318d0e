// Authentication: the token's signature first, then one query. Nothing about a caller is cached, so a sign-out, a ban or
// a lost role counts at the next call.
import { dayMs } from '#contract/durations.ts'
import { platformProblem, Problem } from '#platform/problem.ts'
import { accountProblem, isBanned } from './accounts.ts'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { allowSlowBody } from '#platform/http/bodies.ts'
import type { ApiEnv, SignedInUser } from '#platform/http/route.ts'
import type { Context, MiddlewareHandler } from 'hono'
import { sessions, users, profiles } from '#tables/accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { requireSecondFactor } from './recent-proof.ts'

type SessionOfUser = { user_id: string; session_id: string }

export type Guard = ReturnType<typeof createGuard>

export function createGuard({
  db,
  clock,
  accessTokens,
  settings,
}: Pick<AccountsContext, 'db' | 'clock' | 'accessTokens' | 'settings'>) {
  const findCaller = db
    .select({
      id: users.id,
      email: users.email,
      banned_until: users.banned_until,
      session_id: sessions.id,
      aal: sessions.aal,
      signed_in_at: sessions.proved_at,
      factor_proved_at: sessions.factor_proved_at,
      has_password: sql<boolean>`${users.password_hash} is not null`,
      display_name: profiles.display_name,
      is_admin: sql<boolean>`exists (select 1 from user_roles where user_id = ${users.id} and role = 'admin')`,
      has_factor: sql<boolean>`exists (
        select 1 from auth.mfa_factors where user_id = ${users.id} and status = 'verified')`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .leftJoin(profiles, eq(profiles.user_id, users.id))
    .where(
      and(
        eq(sessions.id, sql.placeholder('session_id')),
        eq(sessions.user_id, sql.placeholder('user_id')),
        isNull(sessions.revoked_at),
        gt(sessions.not_after, sql.placeholder('now')),
      ),
    )
    .prepare('auth_caller')

  async function identify(c: Context): Promise<SignedInUser> {
    const { sub: user_id, session_id } = await accessTokens.read(bearerToken(c))
    return findSession({ user_id, session_id })
  }

  async function findSession({ user_id, session_id }: SessionOfUser): Promise<SignedInUser> {
    const now = clock()
    const [caller] = await findCaller.execute({ session_id, user_id, now })
    if (!caller) throw accountProblem('auth.session_not_found')
    const { banned_until, ...user } = caller
    if (isBanned({ banned_until }, now)) throw accountProblem('auth.user_banned')
    return user
  }

  async function requireSession(session: SessionOfUser): Promise<SignedInUser> {
    const user = await findSession(session)
    requireSecondFactor(user)
    return user
  }

  const requireUser: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const user = await identify(c).catch(refuseNonOwner)
    requireSecondFactor(user)
    c.set('user', user)
    await next()
  }

  const requireAdmin: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const { is_admin, has_factor } = c.var.user
    if (!is_admin) throw platformProblem('access.forbidden')
    if (!has_factor && settings.get().shop.admins_need_factor) throw accountProblem('access.factor_needed')
    allowSlowBody(c.env?.incoming)
    await next()
  }

  /** Comes after the limit of bodies. Reads the body, which may take long, and then checks again: rights may end meanwhile. */
  const requireAdminStill: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = c.req.header()
    if (encoding === undefined && !(Number(length) > 0)) return next()
    await c.req.text().catch(() => undefined)
    await requireUser(c, async () => void (await requireAdmin(c, next)))
  }

  const requireRecentSignIn: MiddlewareHandler<ApiEnv> = async (c, next) => {
    if (!hasSignedInRecently(c.var.user, clock())) throw accountProblem('auth.reauthentication_needed')
    await next()
  }

  return { identify, requireSession, requireUser, requireAdmin, requireAdminStill, requireRecentSignIn }
}

export function bearerToken(c: Context): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (!token) throw accountProblem('auth.no_authorization')
  return token
}

/** An admin's changes of others' things need a sign-in within this time; changes of accounts ask for more (below). */
const recentSignInMs = dayMs

function hasSignedInRecently({ signed_in_at }: SignedInUser, now: Date): boolean {
  return now.getTime() - signed_in_at.getTime() < recentSignInMs
}

function refuseNonOwner(error: unknown): never {
  throw error instanceof Problem ? accountProblem('access.signed_out') : error
}
