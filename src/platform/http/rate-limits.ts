// Fixed windows in the database, shared by all processes.
import { and, eq, gt, gte, inArray, like, lt, not, or, sql } from 'drizzle-orm'
import { dayMs } from '#contract/durations.ts'
import type { Db, Transaction } from '../db/client.ts'
import { rate_limits } from '#tables/platform.ts'
import type { Context, MiddlewareHandler } from 'hono'
import { clientNetwork, widerNetworks } from './client-ip.ts'
import { platformProblem } from '../problem.ts'
import type { Config } from '../../config.ts'
import type { ApiEnv } from './route.ts'

export type Limit = { limit: number; windowSeconds: number }

export type Hit = {
  allowed: boolean
  /** Whole seconds, at least 1. */
  retryAfter: number
  window: string
}

/** One statement: of concurrent hits exactly `limit` are allowed. Refused hits do not extend the window. */
export async function consumeLimit(
  db: Db | Transaction,
  key: string,
  { limit, windowSeconds }: Limit,
  now?: Date,
): Promise<Hit> {
  const at = now ? sql`${now.toISOString()}::timestamptz` : sql`now()`
  const window = sql`make_interval(secs => ${windowSeconds})`
  const isOver = sql`${rate_limits.window_start} <= ${at} - ${window}`
  const [row] = await db
    .insert(rate_limits)
    .values({ key, window_start: at })
    .onConflictDoUpdate({
      target: rate_limits.key,
      set: {
        hits: sql`case when ${isOver} then 1 else least(${rate_limits.hits}, ${limit}) + 1 end`,
        window_start: sql`case when ${isOver} then ${at} else ${rate_limits.window_start} end`,
      },
    })
    .returning({
      hits: rate_limits.hits,
      window: sql<string>`${rate_limits.window_start}::text`,
      secondsLeft: sql<number>`ceil(extract(epoch from ${rate_limits.window_start} + ${window} - ${at}))`,
    })
  if (!row) throw new Error('an upsert returned no row')
  return { allowed: row.hits <= limit, retryAfter: Math.max(1, row.secondsLeft), window: row.window }
}

export async function readHits(
  db: Db | Transaction,
  key: string,
  { limit, windowSeconds }: Limit,
): Promise<Pick<Hit, 'allowed' | 'retryAfter'>> {
  const endsAt = sql`${rate_limits.window_start} + make_interval(secs => ${windowSeconds})`
  const [row] = await db
    .select({ secondsLeft: sql<number>`ceil(extract(epoch from ${endsAt} - now()))::integer` })
    .from(rate_limits)
    .where(and(eq(rate_limits.key, key), gte(rate_limits.hits, limit), sql`${endsAt} > now()`))
  return { allowed: row === undefined, retryAfter: Math.max(1, row?.secondsLeft ?? 1) }
}

export type Window = { start: Date; end: Date }

/** Those of the keys that have one now. */
export async function readWindows(
  db: Db | Transaction,
  keys: string[],
  { windowSeconds }: Pick<Limit, 'windowSeconds'>,
  now: Date,
): Promise<Window[]> {
  const oldest = new Date(now.getTime() - windowSeconds * 1000)
  const rows = await db
    .select({ start: rate_limits.window_start })
    .from(rate_limits)
    .where(and(inArray(rate_limits.key, keys), gt(rate_limits.window_start, oldest)))
  return rows.map(({ start }) => ({ start, end: new Date(start.getTime() + windowSeconds * 1000) }))
}

/** The window of the key begins now, whatever was counted in it. */
export async function restartWindow(db: Db | Transaction, key: string, now: Date): Promise<void> {
  const started = { window_start: now, hits: 1 }
  await db
    .insert(rate_limits)
    .values({ key, ...started })
    .onConflictDoUpdate({ target: rate_limits.key, set: started })
}

/** All that is counted by an email address. */
export const deleteLimitsOf = ({ email }: { email: string }) =>
  sql`delete from rate_limits where position(${` ${email.toLowerCase()} `} in key || ' ') > 0`

export async function deleteLimits(db: Db | Transaction, keys: string[]): Promise<void> {
  await db.delete(rate_limits).where(inArray(rate_limits.key, keys))
}

/** Takes back allowed hits only: refused ones are not counted one by one, and taking one back would let another hit pass. */
export async function releaseLimit(db: Db | Transaction, key: string, { window }: Hit): Promise<void> {
  await db
    .update(rate_limits)
    .set({ hits: sql`${rate_limits.hits} - 1` })
    .where(
      and(
        eq(rate_limits.key, key),
        eq(rate_limits.window_start, sql`${window}::timestamptz`),
        gt(rate_limits.hits, 0),
      ),
    )
}

type Dependencies = { db: Db; config: Pick<Config, 'trustedProxies' | 'hasRateLimits'> }

export function limitPerAddress(
  dependencies: Dependencies,
  name: string,
  limit: Limit,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await countPerAddress(dependencies, c, name, limit)
    await next()
  }
}

/** Serves a route that learns only in its handler whether a call counts. */
export async function countPerAddress(
  dependencies: Dependencies,
  c: Context<ApiEnv>,
  name: string,
  limit: Limit,
): Promise<void> {
  const network = clientNetwork(c, dependencies.config.trustedProxies)
  for (const [wider, times] of widerNetworks(network))
    await requireLimit(dependencies, `${name}:ip:${wider}`, { ...limit, limit: limit.limit * times })
}

export function limitPerAccount(
  dependencies: Dependencies,
  name: string,
  limit: Limit,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await requireLimit(dependencies, `${name}:account:${c.var.user.id}`, limit)
    await next()
  }
}

/** Limits calls of the admin area by which a stolen session could mail to others as the shop. */
export function limitAdminMails(dependencies: Dependencies): MiddlewareHandler<ApiEnv> {
  return limitPerAccount(dependencies, 'admin-mails', { limit: 60, windowSeconds: 3600 })
}

export async function requireLimit(
  { db, config }: Pick<Dependencies, 'db'> & { config: Pick<Config, 'hasRateLimits'> },
  key: string,
  limit: Limit,
): Promise<void> {
  if (!config.hasRateLimits) return
  const { allowed, retryAfter } = await consumeLimit(db, key, limit)
  if (!allowed) throw platformProblem('request.rate_limited', { retryAfter })
}

/** Limits callers without an account. An audience may stand behind one address: each of 200 buys, comes back and downloads. */
export const perNetwork = { limit: 600, windowSeconds: 600 }

/** A day old, but for the keys of `prefix`, which are kept for `days`. What is ahead was counted while the clock was. */
export async function deleteOldLimits(
  db: Db,
  now: Date,
  { prefix, days }: { prefix: string; days: number },
): Promise<void> {
  const { key, window_start } = rate_limits
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  const isLasting = like(key, `${prefix}%`)
  await db
    .delete(rate_limits)
    .where(
      or(
        and(lt(window_start, before(1)), not(isLasting)),
        lt(window_start, before(days)),
        gt(window_start, before(-1)),
      ),
    )
}
