// Who is signed in: the session that auth-js keeps in local storage, and auth-js itself once it is needed.
import type { AuthClient, Factor, Session } from '@supabase/auth-js'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Me } from '#features/accounts/contract/accounts.ts'
import { deviceHeader } from '#features/accounts/contract/device-header.ts'
import { deviceId } from './device-id.ts'

export const storageKey = 'supabase.auth.token'

/** Read at once, without loading auth-js; its access token may have expired. Nobody is signed in who owes a code. */
export function storedSession(): Session | undefined {
  return whole(parse(read()))
}

/** The stored session, as it changes in this tab and in others; undefined while the server's page comes to life. */
export function useSession(): Session | undefined {
  return whole(useStored())
}

/** Of who has given the password, and has still to give the code of a second factor. */
export function pendingSession(): Session | undefined {
  const session = parse(read())
  return session && owesCode(session) ? session : undefined
}

/** As useSession. */
export function usePendingSession(): Session | undefined {
  const session = useStored()
  return session && owesCode(session) ? session : undefined
}

function useStored(): Session | undefined {
  const stored = useSyncExternalStore(subscribe, read, () => null)
  return useMemo(() => parse(stored), [stored])
}

function whole(session: Session | undefined): Session | undefined {
  return session && !owesCode(session) ? session : undefined
}

function owesCode(session: Session): boolean {
  return verifiedFactors(session).length > 0 && levelOf(session) !== 'aal2'
}

export function verifiedFactors({ user }: Session): Factor[] {
  return (user.factors ?? []).filter(({ status }) => status === 'verified')
}

/** As the access token says; the server asks its database. */
function levelOf({ access_token }: Session): unknown {
  const [, claims = ''] = access_token.split('.')
  try {
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).aal
  } catch {
    return undefined
  }
}

type Auth = InstanceType<typeof AuthClient>

let client: Promise<Auth> | undefined

export function authClient(): Promise<Auth> {
  client ??= loadAuthClient().catch((error: unknown) => {
    // Once the connection is back, the next call loads it.
    client = undefined
    throw error
  })
  return client
}

function loadAuthClient(): Promise<Auth> {
  return import('@supabase/auth-js').then(({ AuthClient }) => {
    const auth = new AuthClient({
      url: `${location.origin}/auth/v1`,
      storageKey,
      headers: { [deviceHeader]: deviceId() },
      // An address could hold the session of the link's author; our own links hold a token for a button.
      detectSessionInUrl: false,
    })
    auth.onAuthStateChange(() => {
      for (const listener of listeners) listener()
    })
    return auth
  })
}

/** A living access token: renewed first when it is about to expire. */
export async function accessToken(): Promise<string | undefined> {
  if (!storedSession()) return undefined
  const { data, error } = await (await authClient()).getSession()
  // Out of reach is not signed out: the session stays, and the call fails as any other would.
  if (error?.name === 'AuthRetryableFetchError') throw error
  return data.session?.access_token
}

/** What the server knows of the session and its account by now. */
export async function renewSession(): Promise<void> {
  await (await authClient()).refreshSession()
}

let userSignOuts = 0

/** A call that was sent before this number changed is answered too late: its user has signed out and been told so. */
export function countUserSignOuts(): number {
  return userSignOuts
}

export async function signOut({ isByUser = false } = {}): Promise<void> {
  if (isByUser) userSignOuts += 1
  await (await authClient()).signOut({ scope: 'local' })
}

/** As the database says; false until it has answered, and whenever it cannot be asked. */
export function useIsAdmin(): boolean {
  const user_id = useSession()?.user.id
  const [admin, setAdmin] = useState<string>()
  useEffect(() => {
    if (!user_id) return
    fetchIsAdmin().then(
      (is) => setAdmin(is ? user_id : undefined),
      (error: unknown) => console.warn('Whether this is an admin could not be asked:', error),
    )
  }, [user_id])
  return user_id !== undefined && admin === user_id
}

async function fetchIsAdmin(): Promise<boolean> {
  const token = await accessToken()
  if (!token) return false
  const response = await fetch('/api/me', { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) return false
  const me: Me = await response.json()
  return me.is_admin
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** Where the browser forbids storage nobody is signed in, and the public pages still work. */
function read(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Undefined where the stored value is no session. */
function parse(text: string | null): Session | undefined {
  if (!text) return undefined
  try {
    const session: Partial<Session> | null = JSON.parse(text)
    return isWhole(session) ? session : undefined
  } catch {
    return undefined
  }
}

/** auth-js throws away what lacks a token or its time; the pages count on the user. */
function isWhole(session: Partial<Session> | null): session is Session {
  return Boolean(session?.access_token && session.refresh_token && session.expires_at && session.user?.id)
}
