// The rules that all kinds of second factors share once they are verified.
import { and, eq, gt, ne, or } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem, audit, isVerified } from './accounts.ts'
import { accountMailJob } from './account.emails.ts'
import type { AccountsContext } from './accounts-context.ts'
import { type Device, deleteOtherDevices, endSessions } from './sessions.ts'
import { comparePassword, lockProvenCaller } from './recent-proof.ts'
import { mfa_factors, sessions } from '#tables/accounts.ts'
import { deleteAllWrongCodes } from './wrong-codes.ts'
import { countFactors, deleteRecoveryCodes } from './recovery-codes.ts'

/** The limit of apps, and that of passkeys. */
export const maxFactors = 10
export const enrolmentMs = 10 * 60_000

const events = {
  totp: { added: 'factor_added', removed: 'factor_removed' },
  webauthn: { added: 'passkey_added', removed: 'passkey_removed' },
} as const

type Kind = keyof typeof events

type Added = { user: { id: string; email: string }; factor_id: string; device: Device; isFirst: boolean }

/** The first factor ends the sessions, and deletes the known devices, that have none. */
export async function addFactor(
  tx: Transaction,
  { queue }: Pick<AccountsContext, 'queue'>,
  kind: Kind,
  { user: { id: user_id, email }, factor_id, device, isFirst }: Added,
  now: Date,
): Promise<void> {
  const isOther = and(eq(mfa_factors.user_id, user_id), ne(mfa_factors.id, factor_id))
  await tx.delete(mfa_factors).where(and(isOther, eq(mfa_factors.status, 'unverified')))
  if (isFirst) {
    await endSessions(tx, { user_id, aal: 'aal1' }, 'second factor added', now)
    await deleteOtherDevices(tx, user_id, device)
  }
  const event = events[kind].added
  await audit(tx, { user_id, event, detail: { factor_id } }, now)
  await queue.enqueue(tx, accountMailJob, { kind: event, email })
}

type Removal = { factor_id: string; current_password?: string | undefined }

export async function removeFactor(
  context: AccountsContext,
  caller: SignedInUser,
  { factor_id, current_password }: Removal,
  { network }: Device,
): Promise<void> {
  const { db, clock, queue } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const now = clock()
  await db.transaction(async (tx) => {
    const { id: user_id, email } = await lockProvenCaller(tx, caller, password_hash, now)
    const factor = await findFactor(tx, caller, factor_id, now)
    await tx.delete(mfa_factors).where(eq(mfa_factors.id, factor_id))
    if (!isVerified(factor)) return
    if ((await countFactors(tx, user_id)) === 0) {
      await deleteRecoveryCodes(tx, user_id)
      await lowerSessions(tx, user_id)
      await deleteAllWrongCodes(tx, user_id)
    }
    const event = events[factor.factor_type].removed
    await audit(tx, { user_id, event, detail: { factor_id } }, now)
    await queue.enqueue(tx, accountMailJob, { kind: event, email })
  })
}

async function lowerSessions(tx: Transaction, user_id: string): Promise<void> {
  await tx.update(sessions).set({ aal: 'aal1', factor_proved_at: null }).where(eq(sessions.user_id, user_id))
}

/** Recovery codes are none. */
export async function findFactor(tx: Transaction, { id }: { id: string }, factor_id: string, now: Date) {
  const oldest = new Date(now.getTime() - enrolmentMs)
  const isLiving = or(eq(mfa_factors.status, 'verified'), gt(mfa_factors.created_at, oldest))
  const isOwn = and(eq(mfa_factors.id, factor_id), eq(mfa_factors.user_id, id))
  const [factor] = await tx.select().from(mfa_factors).where(and(isOwn, isLiving))
  if (!factor || factor.factor_type === 'recovery_code') throw accountProblem('auth.mfa_factor_not_found')
  return { ...factor, factor_type: factor.factor_type }
}
