import type { RenderRefusal } from '#platform/http/route.ts'
import { accessTokenSeconds } from './tokens.ts'
import type { Account } from './accounts.ts'
import { addressToCome } from './address-change-state.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Session } from './sessions.ts'

/** A sign-up with a known address gets the same keys, so that the response does not reveal the account. */
export function userDocument({ id, email, user_metadata, factors, ...account }: Account, now: Date) {
  const times = {
    last_sign_in_at: account.last_sign_in_at?.toISOString() ?? null,
    created_at: account.created_at.toISOString(),
    updated_at: account.updated_at.toISOString(),
  }
  const email_confirmed_at = account.email_confirmed_at?.toISOString() ?? null
  const new_email = addressToCome(account, now)
  const email_change_sent_at = new_email && account.new_email_asked_at?.toISOString()
  const identity_data = { sub: id, email, email_verified: email_confirmed_at !== null }
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    ...(new_email && { new_email, email_change_sent_at }),
    phone: '',
    email_confirmed_at,
    confirmed_at: email_confirmed_at,
    ...times,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata,
    identities: [{ id, identity_id: id, user_id: id, provider: 'email', email, identity_data, ...times }],
    factors,
    is_anonymous: false,
  }
}

export type SignedIn = { session: Session; account: Account }

/** Without `expires_at`: auth-js then counts from its own clock, and a wrong one does no harm. */
export async function sessionDocument(
  { accessTokens, refreshTokens, clock }: Pick<AccountsContext, 'accessTokens' | 'refreshTokens' | 'clock'>,
  { session, account }: SignedIn,
) {
  return {
    access_token: await accessTokens.write({ session, account }),
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    refresh_token: await refreshTokens.write(session),
    user: userDocument(account, clock()),
  }
}

const names: Partial<Record<string, string>> = {
  'auth.common_password': 'weak_password',
  'auth.sign_out_insufficient_aal': 'insufficient_aal',
  'request.malformed': 'validation_failed',
  'server.bug': 'unexpected_failure',
  'server.full': 'unexpected_failure',
  'server.unavailable': 'request_timeout',
}

/** GoTrue's own reasons; auth-js reads them. */
const weakness: Partial<Record<string, string>> = {
  'auth.weak_password': 'length',
  'auth.common_password': 'pwned',
}

/** A 5xx makes auth-js try again, a 4xx makes it sign out: a failure of the server must never be a 4xx. */
export const renderGoTrueRefusal: RenderRefusal = ({ code, status, message }, c) => {
  const reason = weakness[code]
  const weak_password = reason ? { weak_password: { reasons: [reason] } } : {}
  return c.json({ code: names[code] ?? code.replace(/^auth\./, ''), message, ...weak_password }, status)
}
