// The limit of pages that are made for one request, per network: each takes several times the work of a cached one.
import type { Context, MiddlewareHandler } from 'hono'
import type { CommerceShop } from '#domains/book/shop.ts'
import { isUnavailable } from '#platform/db/client.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { Problem } from '#platform/problem.ts'
import { refusePlainly } from './plain-page.ts'

/** An audience behind one address opens some of them for each purchase. */
const perNetwork = { limit: 600, windowSeconds: 600 }

/** Counts a page, and returns the one that is shown in its place where the network has had too many. */
export type PageLimit = (c: Context<ApiEnv>) => Promise<Response | undefined>

/** Counts nothing while the database is away; pages are then shown from memory. */
export function openPageLimit(shop: CommerceShop): PageLimit {
  const count = limitPerAddress(shop, 'pages', perNetwork)
  return async (c) => {
    try {
      await count(c, async () => undefined)
    } catch (error) {
      if (!(error instanceof Problem)) {
        if (isUnavailable(error)) return undefined
        throw error
      }
      const { wording } = await shop.book.getOrStale()
      return refusePlainly(c, wording, { code: 'request.rate_limited', retryAfter: error.retryAfter ?? 1 })
    }
    return undefined
  }
}

export function limitPages(limit: PageLimit): MiddlewareHandler<ApiEnv> {
  return async (c, next) => (await limit(c)) ?? next()
}
