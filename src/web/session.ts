// Who is signed in: the session that auth-js keeps in local storage, and auth-js itself once it is needed.
import type { AuthClient, Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/accounts.ts'

export const storageKey = 'supabase.auth.token'

/** Read at once, without loading auth-js; its access token may have expired. */
export function storedSession(): Session | undefined {
  return parse(read())
}

/** The stored session, as it changes in this tab and in others; undefined while the server's page comes to life. */
export function useSession(): Session | undefined {
  return parse(useSyncExternalStore(subscribe, read, () => null))
}

type Auth = InstanceType<typeof AuthClient>

let client: Promise<Auth> | undefined

export function authClient(): Promise<Auth> {
  client ??= import('@supabase/auth-js').then(({ AuthClient }) => {
    const auth = new AuthClient({ url: `${location.origin}/auth/v1`, storageKey })
    auth.onAuthStateChange(() => {
      for (const listener of listeners) listener()
    })
    return auth
  })
  return client
}

/** A living access token: renewed first when it is about to expire. */
export async function accessToken(): Promise<string | undefined> {
  if (!storedSession()) return undefined
  const { data } = await (await authClient()).getSession()
  return data.session?.access_token
}

export async function signOut(): Promise<void> {
  await (await authClient()).signOut({ scope: 'local' })
}

/** As the database says; any failure counts as no. */
export async function isAdmin(): Promise<boolean> {
  const token = await accessToken()
  const answer = await fetch('/api/me', { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) return false
  const me = (await answer.json()) as Me
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

function read(): string | null {
  return localStorage.getItem(storageKey)
}

function parse(text: string | null): Session | undefined {
  return text ? (JSON.parse(text) as Session) : undefined
}
