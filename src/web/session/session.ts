// The session of the browser: read from storage, renewed, followed and ended.
import {
  parseObject,
  textIn,
  toObject,
  authClients,
  isSigningOut,
  sessionChanges,
  signOuts,
  renewalTimer,
} from '../page/page-state.ts'
import { storageKey } from './session-key.ts'

/** False also where storage is there and takes nothing (page-shell.tsx). */
export function keepsStorage(): boolean {
  const probe = 'lectern:probe'
  try {
    localStorage.setItem(probe, '1')
    const isStored = localStorage.getItem(probe) === '1'
    localStorage.removeItem(probe)
    return isStored
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
  /** Seconds since 1970, by the browser's own clock: auth-js computes it. */
  expires_at: number
  user: { id: string; email: string | undefined; name: string | undefined; factors: StoredFactor[] }
}

/** Undefined where it is no session: auth-js drops one that lacks a token or its time, and the pages need the user. */
export function parseSession(text: string | null): StoredSession | undefined {
  if (!text) return undefined
  const session = parseObject(text)
  const access_token = textIn(session, 'access_token')
  const user = toObject(session['user'])
  const id = textIn(user, 'id')
  const expires_at = Number(session['expires_at'])
  if (!access_token || !session['refresh_token'] || !expires_at || !id) return undefined
  const name = textIn(toObject(user['user_metadata']), 'display_name')
  const factors = parseFactors(user['factors'])
  return { access_token, expires_at, user: { id, email: textIn(user, 'email'), name, factors } }
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

/** Read at once, without loading auth-js; its access token may have expired. Undefined while a code is still to be given. */
export function storedSession(): StoredSession | undefined {
  return whole(parseSession(readStored()))
}

export function pendingSession(): StoredSession | undefined {
  const session = parseSession(readStored())
  return session && needsCode(session) ? session : undefined
}

export function whole(session: StoredSession | undefined): StoredSession | undefined {
  return session && !needsCode(session) ? session : undefined
}

export function authClient() {
  const client = authClients.get() ?? loadAuthClient()
  authClients.set(client)
  return client
}

function loadAuthClient() {
  const loading = import('./auth-client.ts').then(({ createAuthClient }) => createAuthClient())
  return loading.catch((error: unknown) => {
    // Once the connection is back, the next call loads it.
    authClients.set(undefined)
    throw error
  })
}

/** Milliseconds before its end from which on auth-js renews a token that is asked for. */
const renewalMs = 90_000

/** Milliseconds between two looks at the time: a timer does not count those that the device sleeps. */
const lookMs = 60_000

const untilRenewal = ({ expires_at }: StoredSession) => expires_at * 1_000 - renewalMs - Date.now()

/** Loads auth-js, which is as heavy as a screen, only where the token is to be renewed. */
export async function accessToken(): Promise<string | undefined> {
  const session = storedSession()
  if (!session) return undefined
  if (untilRenewal(session) > 0) {
    renewLater()
    return session.access_token
  }
  const { data, error } = await (await authClient()).getSession()
  // Out of reach is not signed out: the session stays, and the call fails as any other would.
  if (error?.name === 'AuthRetryableFetchError') throw error
  return data.session?.access_token
}

/** From then on auth-js renews by itself, also in a tab that only lies open. It does not in one that is hidden. */
function renewLater(): void {
  if (authClients.get() || renewalTimer.get() !== undefined) return
  const session = storedSession()
  if (!session) return
  const ms = Math.min(Math.max(untilRenewal(session), 0), lookMs)
  renewalTimer.set(setTimeout(() => void renewDue(), ms))
}

async function renewDue(): Promise<void> {
  if (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
  renewalTimer.set(undefined)
  const session = storedSession()
  // Another tab may have renewed it.
  if (session && untilRenewal(session) > 0) return renewLater()
  // Where the file is lost, the next call asks for it again.
  if (session) await authClient().catch(() => undefined)
}

export async function renewSession(): Promise<void> {
  await (await authClient()).refreshSession()
}

/** Aborted when the user signs out and is told so: what was asked before is not needed any more. */
export function signOutSignal(): AbortSignal {
  return signOuts.get().signal
}

export async function signOut({ isByUser = false } = {}): Promise<void> {
  if (isByUser) {
    signOuts.get().abort()
    signOuts.set(new AbortController())
  }
  isSigningOut.set(isByUser)
  try {
    await (await authClient()).signOut({ scope: 'local' })
  } catch (error) {
    isSigningOut.set(false)
    throw error
  }
}

export type Me = {
  isAdmin: boolean
  readsMails: boolean
}
export const nobody: Me = { isAdmin: false, readsMails: false }

export async function fetchMe(signal: AbortSignal): Promise<Me> {
  const token = await accessToken()
  if (!token) return nobody
  const response = await fetch('/api/me', { headers: { authorization: `Bearer ${token}` }, signal })
  if (!response.ok) return nobody
  const { is_admin, reads_mails } = toObject(await response.json())
  return { isAdmin: is_admin === true, readsMails: reads_mails === true }
}

export function onSessionChange(listener: () => void): () => void {
  const unsubscribe = sessionChanges.subscribe(listener)
  addEventListener('storage', listener)
  return () => {
    unsubscribe()
    removeEventListener('storage', listener)
  }
}

/** Lets nobody be signed in where the browser forbids storage; the public pages still work. */
export function readStored(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
