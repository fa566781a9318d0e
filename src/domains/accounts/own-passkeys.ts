// The passkeys of one’s own account: listed and named.
import { and, asc, eq, getTableColumns, ne } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { passkeys, mfa_factors } from '#tables/accounts.ts'
import { lockCaller, requireSecondFactor } from './recent-proof.ts'
import { relyingParty } from './webauthn.ts'

export async function listPasskeys(context: AccountsContext, caller: SignedInUser) {
  requireSecondFactor(caller)
  const { rpID } = relyingParty(context)
  const own = await listOwn(context.db, caller.id)
  return own.map(({ id, friendly_name, created_at, last_used_at, is_backed_up, rp_id }) => ({
    id,
    friendly_name: friendly_name ?? '',
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString(),
    is_backed_up,
    is_of_old_address: rp_id !== rpID,
  }))
}

export async function namePasskey(
  context: AccountsContext,
  caller: SignedInUser,
  { id, friendly_name }: { id: string; friendly_name: string },
) {
  requireSecondFactor(caller)
  const { db, clock } = context
  const { id: user_id } = caller
  await db.transaction(async (tx) => {
    await lockCaller(tx, caller, clock())
    const isOwn = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.factor_type, 'webauthn'))
    const isNamesake = and(
      eq(mfa_factors.user_id, user_id),
      eq(mfa_factors.friendly_name, friendly_name),
      ne(mfa_factors.id, id),
    )
    if ((await tx.$count(mfa_factors, isNamesake)) > 0) throw accountProblem('auth.mfa_factor_name_conflict')
    const { rowCount } = await tx
      .update(mfa_factors)
      .set({ friendly_name })
      .where(and(isOwn, eq(mfa_factors.id, id)))
    if (rowCount === 0) throw accountProblem('auth.mfa_factor_not_found')
  })
  return (await listPasskeys(context, caller)).find((passkey) => passkey.id === id)
}

export async function listOwn(db: Db | Transaction, user_id: string) {
  return db
    .select({ ...getTableColumns(passkeys), ...getTableColumns(mfa_factors) })
    .from(passkeys)
    .innerJoin(mfa_factors, eq(mfa_factors.id, passkeys.factor_id))
    .where(eq(mfa_factors.user_id, user_id))
    .orderBy(asc(mfa_factors.created_at))
}

export function toKnown({ credential_id, transports }: { credential_id: string; transports: string[] }) {
  return { id: credential_id, transports }
}
