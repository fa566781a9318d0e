// How often one may try what costs us, or costs somebody else. Renewing a session is never limited: auth-js signs out on a 429.
import { takeHit, type Limit } from '../db/rate-limits.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

const minutes = 60
const hour = 60 * minutes

/** By address means by the e-mail address given, whether or not an account has it. */
export const limits = {
  signInByAddressAndNetwork: { limit: 10, windowSeconds: 5 * minutes },
  signInByNetwork: { limit: 60, windowSeconds: 5 * minutes },
  signInByAddress: { limit: 50, windowSeconds: hour },
  signUpByNetwork: { limit: 20, windowSeconds: hour },
  mailByAddress: { limit: 4, windowSeconds: hour },
  mailByNetwork: { limit: 20, windowSeconds: hour },
  codeByAccount: { limit: 10, windowSeconds: 5 * minutes },
  /** Above what may sign in from one network, each mistyping once. */
  codeByNetwork: { limit: 100, windowSeconds: 5 * minutes },
  passwordByAccount: { limit: 10, windowSeconds: 5 * minutes },
} satisfies Record<string, Limit>

type Subject = [name: keyof typeof limits, subject: string]

/** Each throws a 429 with the seconds to wait, and counts before anything else is done. */
export function createLimits({ db, config }: Pick<Services, 'db' | 'config'>) {
  async function spend(
    code: 'auth.over_request_rate_limit' | 'auth.over_email_send_rate_limit',
    subjects: Subject[],
  ) {
    if (!config.hasRateLimits) return
    for (const [name, subject] of subjects) {
      const { allowed, retryAfter } = await takeHit(db, `auth:${name}:${subject}`, limits[name])
      if (!allowed) throw new Problem(code, { retryAfter })
    }
  }

  return {
    signIn: (email: string, network: string) =>
      spend('auth.over_request_rate_limit', [
        ['signInByNetwork', network],
        ['signInByAddressAndNetwork', `${email} ${network}`],
        ['signInByAddress', email],
      ]),
    signUp: (network: string) => spend('auth.over_request_rate_limit', [['signUpByNetwork', network]]),
    mail: (email: string, network: string) =>
      spend('auth.over_email_send_rate_limit', [
        ['mailByNetwork', network],
        ['mailByAddress', email],
      ]),
    code: (user_id: string, network: string) =>
      spend('auth.over_request_rate_limit', [
        ['codeByAccount', user_id],
        ['codeByNetwork', network],
      ]),
    password: (user_id: string) => spend('auth.over_request_rate_limit', [['passwordByAccount', user_id]]),
  }
}
