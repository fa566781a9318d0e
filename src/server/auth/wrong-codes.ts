// Wrong codes of second factors: after ten in a row each further one is waited for, longer and longer.
import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../db/client.ts'
import { wrong_codes } from '../db/schema/auth.ts'
import { Problem } from '../problem.ts'
import type { SignedInUser } from './guard.ts'

type Giver = Pick<SignedInUser, 'id' | 'aal'>

const minute = 60_000
const free = 10
const firstWait = 5 * minute
/** Of a million codes three are right at any moment: at 24 tries a day a guess takes decades. */
const longestWait = 60 * minute
/** A day without a wrong code begins anew. */
export const forgottenAfter = 24 * 60 * minute

/** Stands in a transaction that has locked the user's row. Throws auth.over_request_rate_limit while one must wait. */
export async function requirePatience(tx: Transaction, giver: Giver, now: Date): Promise<void> {
  const [wrong] = await tx.select().from(wrong_codes).where(isOf(giver))
  if (!wrong || now.getTime() - wrong.last_at.getTime() >= forgottenAfter) return
  const waitUntil = wrong.last_at.getTime() + waitAfter(wrong.count)
  if (waitUntil <= now.getTime()) return
  const retryAfter = Math.ceil((waitUntil - now.getTime()) / 1000)
  const minutes = Math.ceil(retryAfter / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  const detail = `Too many wrong codes. Please try again in ${wait}.`
  throw new Problem('auth.over_request_rate_limit', { retryAfter, detail })
}

/** 0 up to the ninth, then 5, 10, 20, 40 and 60 minutes. */
function waitAfter(count: number): number {
  return count < free ? 0 : Math.min(firstWait * 2 ** (count - free), longestWait)
}

export async function countWrongCode(tx: Transaction, { id, aal }: Giver, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - forgottenAfter).toISOString()
  const count = sql`case when ${wrong_codes.last_at} <= ${oldest}::timestamptz then 1 else ${wrong_codes.count} + 1 end`
  await tx
    .insert(wrong_codes)
    .values({ user_id: id, aal, count: 1, last_at: now })
    .onConflictDoUpdate({
      target: [wrong_codes.user_id, wrong_codes.aal],
      set: { count, last_at: now },
    })
}

export async function forgetWrongCodes(tx: Transaction, giver: Giver): Promise<void> {
  await tx.delete(wrong_codes).where(isOf(giver))
}

function isOf({ id, aal }: Giver) {
  return and(eq(wrong_codes.user_id, id), eq(wrong_codes.aal, aal))
}
