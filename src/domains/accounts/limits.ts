// Limits of sign-ins and codes, and refused attempts in the audit log. Renewing a session is never limited: auth-js signs out
// on a 429.
import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { hourMs, hourSeconds, minuteSeconds } from '#contract/durations.ts'
import type { Db } from '#platform/db/client.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { releaseLimit, consumeLimit, type Hit, type Limit } from '#platform/http/rate-limits.ts'
import { accountProblem } from './accounts.ts'
import { findKnownDevice, type Device } from './sessions.ts'
import { audit_log } from '#tables/accounts.ts'
import type { MailShop } from '#domains/mail/shop.ts'

/** `ByAddress` counts the address that was typed, known or not. Known devices have other limits: strangers could lock them out. */
export const limits = {
  /** Wrong passwords. */
  signInByAddressAndNetwork: { limit: 10, windowSeconds: 5 * minuteSeconds },
  signInByNetwork: { limit: 60, windowSeconds: 5 * minuteSeconds },
  signInByAddress: { limit: 50, windowSeconds: hourSeconds },
  signInByKnownDevice: { limit: 10, windowSeconds: 5 * minuteSeconds },
  /** Right ones: each makes a session. */
  sessionByAccount: { limit: 100, windowSeconds: 5 * minuteSeconds },
  sessionByKnownDevice: { limit: 20, windowSeconds: 5 * minuteSeconds },
  /** An audience may stand behind one address. */
  signUpByNetwork: { limit: 200, windowSeconds: hourSeconds },
  /** The limit is above what may sign in from one network, each mistyping once. */
  codeByNetwork: { limit: 300, windowSeconds: 5 * minuteSeconds },
  /** Each visit to the sign-in may ask for one. */
  passkeyByNetwork: { limit: 200, windowSeconds: 5 * minuteSeconds },
  passwordByAccount: { limit: 10, windowSeconds: 5 * minuteSeconds },
} satisfies Record<string, Limit>

type Subject = [name: keyof typeof limits, subject: string, network?: string]

export type Reservation = { release(): Promise<void> }

/** Each throws a 429 with the seconds to wait, and counts before any other work. */
export function createLimits({ db, config, clock }: MailShop) {
  async function consume(subjects: Subject[]): Promise<Reservation> {
    const taken: [key: string, hit: Hit][] = []
    const release = async () => {
      for (const [key, hit] of taken.splice(0)) await releaseLimit(db, key, hit)
    }
    if (!config.hasRateLimits) return { release }
    for (const [name, subject, network] of subjects) {
      for (const [wider, times] of widerNetworks(network ?? '')) {
        const key = `auth:${name}:${subject}${wider}`
        const limit = { ...limits[name], limit: limits[name].limit * times }
        const hit = await consumeLimit(db, key, limit)
        if (!hit.allowed) {
          await release()
          throw accountProblem('auth.over_request_rate_limit', { retryAfter: hit.retryAfter })
        }
        taken.push([key, hit])
      }
    }
    return { release }
  }

  return {
    /** Counted before the password is compared, so that concurrent guesses count; released when it is right. */
    async signIn(email: string, device: Device): Promise<Reservation> {
      const { network } = device
      const knownDevice = await findKnownDevice(db, email, device, clock())
      const strangers: Subject[] = [
        ['signInByNetwork', '', network],
        ['signInByAddressAndNetwork', `${email} `, network],
        ['signInByAddress', email],
      ]
      return consume(knownDevice ? [['signInByKnownDevice', knownDevice]] : strangers)
    },
    async session({ id, email }: { id: string; email: string }, device: Device): Promise<Reservation> {
      const knownDevice = await findKnownDevice(db, email, device, clock())
      const own: Subject = knownDevice ? ['sessionByKnownDevice', knownDevice] : ['sessionByAccount', id]
      return consume([own])
    },
    signUp: (network: string) => consume([['signUpByNetwork', '', network]]),
    code: (network: string) => consume([['codeByNetwork', '', network]]),
    passkey: (network: string) => consume([['passkeyByNetwork', '', network]]),
    password: (user_id: string) => consume([['passwordByAccount', user_id]]),
  }
}

export const maxRowsOfNetwork = 20
export const maxRows = 200
const maxEmail = 100

type RefusedSignIn = { event: 'sign_in_failed' | 'sign_in_blocked'; email: string; network: string }

/** The same work whether or not the address has an account. Never holds a password. */
export async function recordRefusedSignIn(db: Db, refused: RefusedSignIn, now: Date): Promise<void> {
  const { event, network } = refused
  const email = refused.email.slice(0, maxEmail)
  const start = startOfHour(now)
  const window = `${event} ${start.toISOString()}`
  const own = `${window} ${network} ${email}`
  const counted = await db
    .update(audit_log)
    .set({ attempts: oneMore })
    .where(eq(audit_log.bucket, own))
    .returning({ id: audit_log.id })
  if (counted.length > 0) return
  const { ofNetwork, ofAll } = await countRows(db, network, start)
  const row =
    ofAll >= maxRows
      ? { bucket: window }
      : ofNetwork >= maxRowsOfNetwork
        ? { bucket: `${window} ${network}`, ip: network }
        : { bucket: own, ip: network, email }
  await count(db, { event, ...row }, now)
}

type WrongProof = { event: 'wrong_code' | 'wrong_password'; user_id: string; network: string }

/** Never holds what was given. Not for a transaction that the refusal rolls back. */
export async function recordWrongProof(
  db: Db,
  { event, user_id, network }: WrongProof,
  now: Date,
): Promise<void> {
  const bucket = `${event} ${startOfHour(now).toISOString()} ${user_id}`
  await count(db, { event, user_id, ip: network, bucket }, now)
}

const oneMore = sql`${audit_log.attempts} + 1`

type AttemptRow = Pick<typeof audit_log.$inferInsert, 'event' | 'user_id' | 'ip' | 'email'> & {
  bucket: string
}

async function count(db: Db, row: AttemptRow, now: Date): Promise<void> {
  await db
    .insert(audit_log)
    .values({ id: uuidv7(), created_at: now, ...row })
    .onConflictDoUpdate({ target: audit_log.bucket, set: { attempts: oneMore } })
}

function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs)
}

async function countRows(db: Db, network: string, start: Date) {
  const [counted] = await db
    .select({
      ofAll: sql<number>`count(*)`,
      ofNetwork: sql<number>`count(*) filter (where ${audit_log.ip} = ${network})`,
    })
    .from(audit_log)
    .where(and(gte(audit_log.created_at, start), isNotNull(audit_log.bucket), isNull(audit_log.user_id)))
  return counted ?? { ofAll: 0, ofNetwork: 0 }
}
