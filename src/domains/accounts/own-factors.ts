import { and, asc, eq } from 'drizzle-orm'
import type { AccountsContext } from './accounts-context.ts'
import type { OwnFactors } from '#contract/accounts/own-factors.ts'
import { listOwn } from './own-passkeys.ts'
import { mfa_factors, recovery_codes } from '#tables/accounts.ts'
import { relyingParty } from './webauthn.ts'

export async function listOwnFactors(
  context: Pick<AccountsContext, 'db' | 'settings'>,
  user_id: string,
): Promise<OwnFactors> {
  const { db } = context
  const isOwn = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.status, 'verified'))
  const own = await db.select().from(mfa_factors).where(isOwn).orderBy(asc(mfa_factors.created_at))
  const codes = own.find(({ factor_type }) => factor_type === 'recovery_code')
  const { rpID } = relyingParty(context)
  const passkeys = await listOwn(db, user_id)
  return {
    apps: own
      .filter(({ factor_type }) => factor_type === 'totp')
      .map(({ id, created_at }) => ({ id, created_at: created_at.toISOString() })),
    passkeys: passkeys.map(({ id, friendly_name, created_at, last_used_at, rp_id }) => ({
      id,
      friendly_name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
      is_of_old_address: rp_id !== rpID,
    })),
    codes_left: codes ? await db.$count(recovery_codes, eq(recovery_codes.factor_id, codes.id)) : null,
  }
}
