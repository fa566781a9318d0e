// How often a caller may do something. Counted in the database, so by all processes together.
import type { MiddlewareHandler } from 'hono'
import { clientNetwork } from './client-ip.ts'
import { takeHit, type Limit } from './rate-limits.ts'
import { PlatformRefusal } from '../refusal.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../db/client.ts'
import type { ApiEnv } from './route.ts'

type Needs = { db: Db; config: Pick<Config, 'trustedProxies' | 'hasRateLimits'> }

export function limitPerAddress(needs: Needs, name: string, limit: Limit): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await spend(needs, `${name}:ip:${clientNetwork(c, needs.config.trustedProxies)}`, limit)
    await next()
  }
}

/** Stands behind requireUser. */
export function limitPerAccount(needs: Needs, name: string, limit: Limit): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await spend(needs, `${name}:account:${c.var.user.id}`, limit)
    await next()
  }
}

async function spend({ db, config }: Needs, key: string, limit: Limit): Promise<void> {
  if (!config.hasRateLimits) return
  const { allowed, retryAfter } = await takeHit(db, key, limit)
  if (!allowed) throw new PlatformRefusal('request.rate_limited', { retryAfter })
}
