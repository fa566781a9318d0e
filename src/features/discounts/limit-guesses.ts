// Limits how many wrong codes a network may try: codes are short. Right ones are not counted, as many readers may share
// a network.
import { and, eq } from 'drizzle-orm'
import { readHits, takeHit } from '#platform/http/rate-limits.ts'
import { PlatformRefusal } from '#platform/refusal.ts'
import type { Services } from '../../services.ts'
import { isValid } from './apply-discount.ts'
import { discount_codes } from './schema.ts'

const guesses = { limit: 20, windowSeconds: 600 }

/**
 * To be called before anything is said about a code. It is looked up first and counted second, so that of many guesses
 * at the same moment none is answered beyond the limit. Throws request.rate_limited.
 */
export async function limitGuesses(
  { db, config }: Pick<Services, 'db' | 'config'>,
  network: string,
  code: string,
): Promise<void> {
  if (!config.hasRateLimits) return
  const key = `discounts:ip:${network}`
  const isRight = (await db.$count(discount_codes, and(eq(discount_codes.code, code), isValid))) > 0
  const { allowed, retryAfter } = isRight ? await readHits(db, key, guesses) : await takeHit(db, key, guesses)
  if (!allowed) throw new PlatformRefusal('request.rate_limited', { retryAfter })
}
