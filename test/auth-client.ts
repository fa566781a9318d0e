// The browser's side of signing in: the real auth-js over HTTP, with a storage one can look into.
import { randomUUID } from 'node:crypto'
import { AuthClient, type AuthChangeEvent, type Session } from '@supabase/auth-js'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import type { Email } from 'postal-mime'
import { expect } from 'vitest'
import type { TestShop } from './shop.ts'

export type Browser = {
  auth: InstanceType<typeof AuthClient>
  /** Since the browser was opened, the first is INITIAL_SESSION. */
  events: AuthChangeEvent[]
  /** What local storage holds. */
  stored: () => Session | undefined
  /** Written over what is stored, as time or another tab would. */
  store: (change: Partial<Session>) => void
  /** Paths called so far. */
  calls: string[]
}

const storageKey = 'shop.auth'

/** `storage` shared by two browsers makes them tabs of one; `breakNext` lets a response be lost on its way. */
export async function openBrowser(
  url: string,
  {
    storage = new Map<string, string>(),
    breakNext = () => false,
    deviceId,
  }: {
    storage?: Map<string, string>
    breakNext?: (path: string) => boolean
    deviceId?: string
  } = {},
): Promise<Browser> {
  const calls: string[] = []
  const events: AuthChangeEvent[] = []
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    ...(deviceId && { headers: { [deviceHeader]: deviceId } }),
    storageKey,
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    },
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: false,
    flowType: 'implicit',
    experimental: { recoveryCodes: true },
    fetch: async (input, init) => {
      const address = input instanceof Request ? input.url : input.toString()
      const path = address.slice(`${url}/auth/v1`.length)
      calls.push(path)
      const response = await fetch(input, init)
      if (breakNext(path)) throw new TypeError('the connection broke')
      return response
    },
  })
  auth.onAuthStateChange((event) => void events.push(event))
  await auth.initialize()
  await auth.stopAutoRefresh()
  const stored = () => {
    const found = storage.get(storageKey)
    return found === undefined ? undefined : (JSON.parse(found) as Session)
  }
  return {
    auth,
    events,
    calls,
    stored,
    store: (change) => void storage.set(storageKey, JSON.stringify({ ...stored(), ...change })),
  }
}

export const password = 'correct horse'

export function someone(): string {
  return `${randomUUID()}@example.com`
}

/** A browser in which a verified person has signed in. */
export async function signedIn(shop: TestShop, email = someone()) {
  const { user_id } = await shop.services.auth.createAccount({
    email,
    password,
    role: 'user',
    isOwnPassword: true,
  })
  const browser = await openBrowser(shop.url)
  const { data, error } = await browser.auth.signInWithPassword({ email, password })
  if (error) throw error
  return { ...browser, email, user_id, session: data.session }
}

/** What the link in a mail says. */
export function linkIn(mail: Email) {
  const [address] = /https?:\/\/\S+[?&]token_hash=[^\s"<>]+/.exec(mail.text ?? '') ?? []
  if (!address) throw new Error(`no link in the mail: ${mail.text}`)
  const { origin, pathname, searchParams } = new URL(address)
  return {
    origin,
    pathname,
    token_hash: searchParams.get('token_hash')!,
    type: searchParams.get('type') as 'signup' | 'magiclink' | 'recovery' | 'email_change',
    redirect_to: searchParams.get('redirect_to'),
  }
}

/** The six digits in a mail. */
export function codeIn(mail: Email): string {
  const [code] = /^\d{6}$/m.exec(mail.text ?? '') ?? []
  if (!code) throw new Error(`no code in the mail: ${mail.text}`)
  return code
}

/** Waits until an address has this many mails; oldest first. */
export async function mailsTo(shop: TestShop, address: string, count: number): Promise<Email[]> {
  const found = async () =>
    (await shop.mailbox.all()).filter((mail) => mail.to?.some((to) => to.address === address))
  await expect.poll(async () => (await found()).length).toBeGreaterThanOrEqual(count)
  return found()
}
