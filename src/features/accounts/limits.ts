// Limits of calls that cost the server, or another user, something. Renewing a session is never limited: auth-js signs out on a 429.
import { giveHitBack, takeHit, type Hit, type Limit } from '#platform/http/rate-limits.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { findKnownDevice } from './known-devices.ts'
import type { Device } from './device.ts'

const minutes = 60
const hour = 60 * minutes
const day = 24 * hour

/**
 * By address means by the email address given, whether or not an account has it. A device that is known to the
 * account spends its own limits and no others: else strangers could lock its user out.
 */
export const limits = {
  /** Wrong passwords. */
  signInByAddressAndNetwork: { limit: 10, windowSeconds: 5 * minutes },
  signInByNetwork: { limit: 60, windowSeconds: 5 * minutes },
  signInByAddress: { limit: 50, windowSeconds: hour },
  signInByKnownDevice: { limit: 10, windowSeconds: 5 * minutes },
  /** Right ones: each makes a session. */
  sessionByAccount: { limit: 100, windowSeconds: 5 * minutes },
  sessionByKnownDevice: { limit: 20, windowSeconds: 5 * minutes },
  signUpByNetwork: { limit: 20, windowSeconds: hour },
  mailByAddressAndNetwork: { limit: 4, windowSeconds: hour },
  mailByNetwork: { limit: 20, windowSeconds: hour },
  mailByKnownDevice: { limit: 4, windowSeconds: hour },
  /** Together what one mailbox gets in a day at most. */
  mailByAddress: { limit: 20, windowSeconds: day },
  mailByKnownDevices: { limit: 12, windowSeconds: day },
  /** Above what may sign in from one network, each mistyping once. */
  codeByNetwork: { limit: 100, windowSeconds: 5 * minutes },
  passwordByAccount: { limit: 10, windowSeconds: 5 * minutes },
} satisfies Record<string, Limit>

type Subject = [name: keyof typeof limits, subject: string]

/** What a call has spent; given back when it turns out not to count. */
export type Reservation = { giveBack(): Promise<void> }

/** Each throws a 429 with the seconds to wait, and counts before anything else is done. */
export function createLimits({ db, config, clock }: Pick<Services, 'db' | 'config' | 'clock'>) {
  async function spend(
    code: 'auth.over_request_rate_limit' | 'auth.over_email_send_rate_limit',
    subjects: Subject[],
  ): Promise<Reservation> {
    const taken: [key: string, hit: Hit][] = []
    const giveBack = async () => {
      for (const [key, hit] of taken.splice(0)) await giveHitBack(db, key, hit)
    }
    if (!config.hasRateLimits) return { giveBack }
    for (const [name, subject] of subjects) {
      const key = `auth:${name}:${subject}`
      const hit = await takeHit(db, key, limits[name])
      if (!hit.allowed) {
        await giveBack()
        throw new Problem(code, { retryAfter: hit.retryAfter })
      }
      taken.push([key, hit])
    }
    return { giveBack }
  }

  return {
    /** Taken before the password is compared, so that guesses made at once count; only a wrong one is to be kept. */
    async signIn(email: string, device: Device): Promise<Reservation> {
      const { network } = device
      const knownDevice = await findKnownDevice(db, email, device, clock())
      const strangers: Subject[] = [
        ['signInByNetwork', network],
        ['signInByAddressAndNetwork', `${email} ${network}`],
        ['signInByAddress', email],
      ]
      return spend(
        'auth.over_request_rate_limit',
        knownDevice ? [['signInByKnownDevice', knownDevice]] : strangers,
      )
    },
    async session({ id, email }: { id: string; email: string }, device: Device): Promise<Reservation> {
      const knownDevice = await findKnownDevice(db, email, device, clock())
      const own: Subject = knownDevice ? ['sessionByKnownDevice', knownDevice] : ['sessionByAccount', id]
      return spend('auth.over_request_rate_limit', [own])
    },
    signUp: (network: string) => spend('auth.over_request_rate_limit', [['signUpByNetwork', network]]),
    async mail(email: string, device: Device): Promise<Reservation> {
      const { network } = device
      const knownDevice = await findKnownDevice(db, email, device, clock())
      const own: Subject[] = knownDevice
        ? [
            ['mailByKnownDevice', knownDevice],
            ['mailByKnownDevices', email],
          ]
        : [
            ['mailByNetwork', network],
            ['mailByAddressAndNetwork', `${email} ${network}`],
            ['mailByAddress', email],
          ]
      return spend('auth.over_email_send_rate_limit', own)
    },
    /** Wrong ones are counted by account too (wrong-codes.ts). */
    code: (network: string) => spend('auth.over_request_rate_limit', [['codeByNetwork', network]]),
    password: (user_id: string) => spend('auth.over_request_rate_limit', [['passwordByAccount', user_id]]),
  }
}
