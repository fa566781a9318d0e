import { parseObject, textIn, toObject } from './json.ts'

export const storageKey = 'supabase.auth.token'

/** False also where storage is there and takes nothing (before-paint.ts). */
export function keepsStorage(): boolean {
  const probe = 'lectern:probe'
  try {
    localStorage.setItem(probe, '1')
    const isKept = localStorage.getItem(probe) === '1'
    localStorage.removeItem(probe)
    return isKept
  } catch {
    return false
  }
}

export type StoredFactor = {
  id: string
  friendly_name: string | undefined
  factor_type: string | undefined
  status: string | undefined
}

export type StoredSession = {
  access_token: string
  user: { id: string; email: string | undefined; factors: StoredFactor[] }
}

/** Undefined where it is no session: auth-js drops one that lacks a token or its time, and the pages need the user. */
export function parseSession(text: string | null): StoredSession | undefined {
  if (!text) return undefined
  const session = parseObject(text)
  const access_token = textIn(session, 'access_token')
  const user = toObject(session['user'])
  const id = textIn(user, 'id')
  if (!access_token || !session['refresh_token'] || !session['expires_at'] || !id) return undefined
  return { access_token, user: { id, email: textIn(user, 'email'), factors: parseFactors(user['factors']) } }
}

function parseFactors(factors: unknown): StoredFactor[] {
  if (!Array.isArray(factors)) return []
  return factors.flatMap((each: unknown) => {
    const factor = toObject(each)
    const id = textIn(factor, 'id')
    const text = (name: string) => textIn(factor, name)
    return id
      ? [
          {
            id,
            friendly_name: text('friendly_name'),
            factor_type: text('factor_type'),
            status: text('status'),
          },
        ]
      : []
  })
}

export function verifiedFactors({ user }: StoredSession): StoredFactor[] {
  return user.factors.filter(({ status }) => status === 'verified')
}

export function needsCode(session: StoredSession): boolean {
  return verifiedFactors(session).length > 0 && levelOf(session) !== 'aal2'
}

function levelOf({ access_token }: StoredSession): unknown {
  const [, claims = ''] = access_token.split('.')
  try {
    return parseObject(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))['aal']
  } catch {
    return undefined
  }
}
