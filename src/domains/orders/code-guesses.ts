// Codes are short, so wrong ones are limited: by account, so that a guesser does not stop others in the network.
import { and, eq, or, sql } from 'drizzle-orm'
import { discount_codes } from '#tables/orders.ts'
import { fill, forCount } from '#words/texts.ts'
import { responsesTexts } from '#words/refusals.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { readHits, consumeLimit } from '#platform/http/rate-limits.ts'
import { platformProblem } from '#platform/problem.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { isUsedByOpen, isValid } from './discounts.ts'

type Guesser =
  | { network: string; buying?: undefined }
  | { network?: undefined; buying: { user_id: string; product_id: string } }

const guesses = { limit: 20, windowSeconds: 600 }

/** Looks up first and counts second: of many guesses at the same moment none is answered beyond the limit. */
export async function limitGuesses({ db, config }: CommerceShop, code: string, { network, buying }: Guesser) {
  if (!config.hasRateLimits) return
  const counted: [key: string, times: number][] = buying
    ? [[`discounts:account:${buying.user_id}`, 1]]
    : widerNetworks(network).map(([wider, times]) => [`discounts:ip:${wider}`, times])
  const isOfOpen =
    buying &&
    isUsedByOpen(sql`purchases.user_id = ${buying.user_id} and purchases.product_id = ${buying.product_id}`)
  const right = and(eq(discount_codes.code, code), or(isValid, isOfOpen))
  const isRight = (await db.$count(discount_codes, right)) > 0
  for (const [key, times] of counted) {
    const limit = { ...guesses, limit: guesses.limit * times }
    const { allowed, retryAfter } = await (isRight ? readHits : consumeLimit)(db, key, limit)
    if (!allowed) throw platformProblem('request.rate_limited', { retryAfter, detail: describe(retryAfter) })
  }
}

function describe(retryAfter: number): string {
  const minutes = Math.ceil(retryAfter / 60)
  return fill(forCount(responsesTexts.wrongDiscounts, minutes), { count: minutes })
}
