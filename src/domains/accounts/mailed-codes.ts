// Six-digit codes in emails. A code opens only in the browser that asked for it, so that nobody confirms what a stranger
// began, and ends after five wrong ones. Its signature is stored, not the code: a hash of six digits is no secret.
import { responsesTexts } from '#words/refusals.ts'
import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { randomInt } from 'node:crypto'
import { findSigningSecret, sign, signingKey } from '#platform/secret.ts'
import { accountProblem } from './problem.ts'
import type { AccountsContext } from './accounts-context.ts'
import { isAddress } from './accounts.ts'
import type { Device } from './devices.ts'
import { recordRefusedSignIn } from './limits.ts'
import { one_time_tokens, users } from '#tables/accounts.ts'

const minute = 60_000
export const codeMinutes = 10
const maxWrongCodes = 5

type TokenType = typeof one_time_tokens.$inferSelect.type

/** A code stands for the link of its mail. */
export type CodeType = Extract<TokenType, 'signup' | 'magiclink'>

export function hasCode(type: TokenType): type is CodeType {
  return type === 'signup' || type === 'magiclink'
}

export type CodeSigner = (hash: Buffer, now: Date) => SignedCode
type SignedCode = {
  code: string
  columns: Pick<typeof one_time_tokens.$inferInsert, 'code_signature' | 'code_expires_at'>
}

const purpose = 'mailed codes'

/** The key is read before the transaction in which the code is made. */
export async function openCodeSigner(
  services: Pick<AccountsContext, 'secrets' | 'clock'>,
): Promise<CodeSigner> {
  const key = await signingKey(services, purpose)
  return (hash, now) => {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    return {
      code,
      columns: {
        code_signature: sign(key, payloadOf(hash, code)),
        code_expires_at: new Date(now.getTime() + codeMinutes * minute),
      },
    }
  }
}

/** The device's id, as a job's payload holds it. Empty for clients that send none. */
export function deviceKey({ id_hash }: Device): string {
  return id_hash?.toString('base64url') ?? ''
}

type Given = { email: string; code: string; types: CodeType[]; device: Device }

/**
 * The link that the code stands for. The same statement, for the same time, whether or not the address has an account. It
 * counts the try before the comparison, so that tries at the same moment count.
 */
export async function findCoded(
  context: Pick<AccountsContext, 'db' | 'clock' | 'secrets' | 'limits'>,
  { email, code, types, device }: Given,
): Promise<{ type: CodeType; hash: Buffer }> {
  const { db, clock, limits } = context
  await limits.code(device.network)
  const now = clock()
  const owner = db.select({ id: users.id }).from(users).where(isAddress(email))
  const tried = await db
    .update(one_time_tokens)
    .set({ code_tries: sql`${one_time_tokens.code_tries} + 1` })
    .where(
      and(
        inArray(one_time_tokens.user_id, owner),
        inArray(one_time_tokens.type, types),
        eq(one_time_tokens.code_device, deviceKey(device)),
        gt(one_time_tokens.code_expires_at, now),
        lt(one_time_tokens.code_tries, maxWrongCodes),
      ),
    )
    .returning({
      type: one_time_tokens.type,
      hash: one_time_tokens.hash,
      signature: one_time_tokens.code_signature,
    })
  for (const { type, hash, signature } of tried) {
    const signed = { payload: payloadOf(hash, code), signature: signature ?? '' }
    const isRight = await findSigningSecret(context, purpose, signed)
    if (isRight && hasCode(type)) return { type, hash }
  }
  await recordRefusedSignIn(db, { event: 'sign_in_failed', email, network: device.network }, now)
  throw accountProblem('auth.otp_expired', { detail: responsesTexts.wrongMailedCode })
}

function payloadOf(hash: Buffer, code: string): string {
  return `${hash.toString('base64url')} ${code}`
}
