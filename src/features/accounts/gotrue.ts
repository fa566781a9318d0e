// How accounts, sessions and refusals look on the wire, as GoTrue has them.
import { Refusal } from '#platform/refusal.ts'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isUnavailable } from '#platform/db/client.ts'
import { isDiskFull } from '#platform/disk-full.ts'
import { Problem } from '../../problems.ts'
import { accessTokenSeconds } from './access-tokens.ts'
import type { Account } from './accounts.ts'
import { addressToCome } from './links.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Session } from './sessions.ts'

/** The same keys for every account, and for the one that a sign-up with a known address makes believe to have made. */
export function userDocument({ id, email, user_metadata, factors, ...account }: Account, now: Date) {
  const created_at = account.created_at.toISOString()
  const updated_at = account.updated_at.toISOString()
  const last_sign_in_at = account.last_sign_in_at?.toISOString() ?? null
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
    last_sign_in_at,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata,
    identities: [
      {
        id,
        identity_id: id,
        user_id: id,
        provider: 'email',
        email,
        identity_data,
        last_sign_in_at,
        created_at,
        updated_at,
      },
    ],
    factors,
    created_at,
    updated_at,
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
    refresh_token: refreshTokens.write(session),
    user: userDocument(account, clock()),
  }
}

/** Problems without a code of GoTrue's own. */
const names: Partial<Record<string, string>> = {
  'auth.common_password': 'weak_password',
  'auth.sign_out_insufficient_aal': 'insufficient_aal',
  'server.bug': 'unexpected_failure',
  'server.full': 'unexpected_failure',
  'server.unavailable': 'request_timeout',
}

/** GoTrue's own reasons; auth-js reads them. */
const weakness: Partial<Record<string, string>> = {
  'auth.weak_password': 'length',
  'auth.common_password': 'pwned',
}

/** A 5xx makes auth-js try again, a 4xx makes it sign out: what is our trouble must never be a 4xx. */
export function refuse(error: Error, c: Context, { log }: Pick<AccountsContext, 'log'>): Response {
  const problem = toProblem(error)
  const { code, status, message, retryAfter } = problem
  if (problem.code === 'server.bug') log.error({ err: error, path: c.req.path }, 'a request failed')
  if (retryAfter) c.header('Retry-After', String(retryAfter))
  const reason = weakness[code]
  const weak_password = reason ? { weak_password: { reasons: [reason] } } : {}
  const document = { code: names[code] ?? code.replace(/^auth\./, ''), message, ...weak_password }
  return c.json(document, status as 400)
}

function toProblem(error: Error): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HTTPException && error.status < 500) return new Problem('auth.validation_failed')
  if (isDiskFull(error)) return new Problem('server.full', { retryAfter: 60 })
  if (isUnavailable(error)) return new Problem('server.unavailable', { retryAfter: 2 })
  return new Problem('server.bug')
}
