// Wrong codes of second factors: after ten in a row the wait doubles, up to an hour. Counted by known device, so that an
// attacker who has only the password does not delay the owner's sign-in.
import { and, eq, sql } from 'drizzle-orm'
import { dayMs, hourMs, minuteMs } from '#contract/durations.ts'
import type { Transaction } from '#platform/db/client.ts'
import { accountProblem } from './accounts.ts'
import { type Device, isKnownDevice } from './sessions.ts'
import { wrong_codes } from '#tables/accounts.ts'
import { fill, forCount } from '#words/texts.ts'
import { responsesTexts } from '#words/refusals.ts'
import type { SignedInUser } from '#platform/http/route.ts'

type CodeHolder = Pick<SignedInUser, 'id' | 'aal'> & { device: Buffer }

const unknownDevice = Buffer.alloc(0)

const free = 10
const firstWait = 5 * minuteMs
/** Three of a million codes are right at any moment: at 24 tries a day a guess takes decades. */
const maxWait = hourMs
export const forgottenAfter = dayMs

export async function findCodeHolder(
  tx: Transaction,
  { id, aal }: Pick<SignedInUser, 'id' | 'aal'>,
  { id_hash }: Device,
  now: Date,
): Promise<CodeHolder> {
  const isKnown = id_hash !== undefined && (await isKnownDevice(tx, id, id_hash, now))
  return { id, aal, device: isKnown ? id_hash : unknownDevice }
}

export async function limitWrongCodes(tx: Transaction, giver: CodeHolder, now: Date): Promise<void> {
  const [wrong] = await tx.select().from(wrong_codes).where(isOf(giver))
  if (!wrong || now.getTime() - wrong.last_at.getTime() >= forgottenAfter) return
  const waitUntil = wrong.last_at.getTime() + waitAfter(wrong.count)
  if (waitUntil <= now.getTime()) return
  const retryAfter = Math.ceil((waitUntil - now.getTime()) / 1000)
  const minutes = Math.ceil(retryAfter / 60)
  const detail = fill(forCount(responsesTexts.wrongCodes, minutes), { count: minutes })
  throw accountProblem('auth.over_request_rate_limit', { retryAfter, detail })
}

function waitAfter(count: number): number {
  return count < free ? 0 : Math.min(firstWait * 2 ** (count - free), maxWait)
}

export async function countWrongCode(
  tx: Transaction,
  { id, aal, device }: CodeHolder,
  now: Date,
): Promise<void> {
  const oldest = new Date(now.getTime() - forgottenAfter).toISOString()
  const count = sql`case when ${wrong_codes.last_at} <= ${oldest}::timestamptz then 1 else ${wrong_codes.count} + 1 end`
  await tx
    .insert(wrong_codes)
    .values({ user_id: id, aal, device, count: 1, last_at: now })
    .onConflictDoUpdate({
      target: [wrong_codes.user_id, wrong_codes.aal, wrong_codes.device],
      set: { count, last_at: now },
    })
}

export async function deleteWrongCodes(tx: Transaction, giver: CodeHolder): Promise<void> {
  await tx.delete(wrong_codes).where(isOf(giver))
}

export async function deleteAllWrongCodes(tx: Transaction, user_id: string): Promise<void> {
  await tx.delete(wrong_codes).where(eq(wrong_codes.user_id, user_id))
}

function isOf({ id, aal, device }: CodeHolder) {
  return and(eq(wrong_codes.user_id, id), eq(wrong_codes.aal, aal), eq(wrong_codes.device, device))
}
