// Limits how many wrong codes a network may try: codes are short. Right ones are not counted, as many readers may share
// a network.
import { and, eq, or, sql } from 'drizzle-orm'
import { readHits, takeHit } from '#platform/http/rate-limits.ts'
import { PlatformRefusal } from '#platform/refusal.ts'
import type { Services } from '../../services.ts'
import { isUsedByOpen, isValid } from './apply-discount.ts'
import { discount_codes } from './schema.ts'

const guesses = { limit: 20, windowSeconds: 600 }

/**
 * To be called before anything is said about a code. It is looked up first and counted second, so that of many guesses
 * at the same moment none is answered beyond the limit. The code of the buyer's own open payment is right, also when it
 * has ended.
 */
export async function limitGuesses(
  { db, config }: Pick<Services, 'db' | 'config'>,
  network: string,
  code: string,
  buying?: { user_id: string; product_id: string },
): Promise<void> {
  if (!config.hasRateLimits) return
  const key = `discounts:ip:${network}`
  const isOfOpen =
    buying &&
    isUsedByOpen(sql`purchases.user_id = ${buying.user_id} and purchases.product_id = ${buying.product_id}`)
  const right = and(eq(discount_codes.code, code), or(isValid, isOfOpen))
  const isRight = (await db.$count(discount_codes, right)) > 0
  const { allowed, retryAfter } = isRight ? await readHits(db, key, guesses) : await takeHit(db, key, guesses)
  if (!allowed) throw new PlatformRefusal('request.rate_limited', { retryAfter })
}
