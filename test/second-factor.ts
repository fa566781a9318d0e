// A second factor for tests: enrolled as auth-js enrols one, its codes made as an authenticator app makes them.
import { Secret, TOTP } from 'otpauth'
import { openBrowser, password, signedIn, type Browser } from './auth-client.ts'
import type { TestShop } from './shop.ts'
import { clock, time } from './time.ts'

/** The next time step: no code is taken twice. */
export function nextStep(): void {
  time.ahead += 30_000
}

export function codeOf(secret: string, now = clock()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
}

export function wrongCode(secret: string): string {
  const steps = [-30_000, 0, 30_000].map((away) => new Date(clock().getTime() + away))
  const right = new Set(steps.map((step) => codeOf(secret, step)))
  const tried = Array.from({ length: 4 }, (_, n) => String(n).repeat(6))
  return tried.find((code) => !right.has(code))!
}

export async function enrol({ auth }: Pick<Browser, 'auth'>, friendlyName = 'Phone') {
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { factorId: data.id, ...data.totp }
}

/** A browser signed in to an account with a second factor that was enrolled here. */
export async function withFactor(shop: TestShop) {
  const person = await signedIn(shop)
  const factor = await enrol(person)
  const code = codeOf(factor.secret)
  const { error } = await person.auth.mfa.challengeAndVerify({ ...factor, code })
  if (error) throw error
  return { ...person, ...factor, code }
}

/** Another browser of that account: the password was given, the code was not. */
export async function halfSignedIn(shop: TestShop, email: string) {
  const browser = await openBrowser(shop.url)
  const { error } = await browser.auth.signInWithPassword({ email, password })
  if (error) throw error
  return browser
}

export async function tokenOf({ auth }: Pick<Browser, 'auth'>): Promise<string> {
  const { data } = await auth.getSession()
  if (!data.session) throw new Error('nobody is signed in')
  return data.session.access_token
}
