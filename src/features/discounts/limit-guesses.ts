// Codes are short: who tries many of them is slowed down. Valid ones do not count, as many readers may share a network.
import { giveHitBack, takeHit } from '#platform/http/rate-limits.ts'
import { PlatformRefusal, Refusal } from '#platform/refusal.ts'
import type { Services } from '../../services.ts'

const guesses = { limit: 20, windowSeconds: 600 }

/** Throws request.rate_limited, and what `look` throws. */
export async function limitGuesses<Found>(
  { db, config }: Pick<Services, 'db' | 'config'>,
  network: string,
  look: () => Promise<Found>,
): Promise<Found> {
  if (!config.hasRateLimits) return look()
  const key = `discounts:ip:${network}`
  const hit = await takeHit(db, key, guesses)
  if (!hit.allowed) throw new PlatformRefusal('request.rate_limited', { retryAfter: hit.retryAfter })
  let isWrong = false
  try {
    return await look()
  } catch (error) {
    isWrong = error instanceof Refusal && error.code === 'discounts.not_valid'
    throw error
  } finally {
    if (!isWrong) await giveHitBack(db, key, hit)
  }
}
