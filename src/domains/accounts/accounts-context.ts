import type { Passwords } from './passwords.ts'
import type { Services } from '#platform/services.ts'
import type { WithMailBranding } from '#domains/mail/email-layout.ts'
import { createAccessTokens, createRefreshTokens, openSigningKeys } from './signing-keys.ts'
import { prepareAccountQueries } from './accounts.ts'
import type { Device } from './sessions.ts'
import { createLimits, limitMail, type MailWanted } from './limits.ts'

export type AuthServices = Pick<
  Services,
  'config' | 'settings' | 'db' | 'queue' | 'mail' | 'secrets' | 'clock' | 'log'
> &
  WithMailBranding & { passwords: Passwords }

export type AccountsContext = ReturnType<typeof createAccountsContext>

export function createAccountsContext(services: AuthServices) {
  const keys = openSigningKeys(services)
  return {
    ...services,
    keys,
    accessTokens: createAccessTokens(services, keys),
    refreshTokens: createRefreshTokens(services),
    limits: createLimits(services),
    limitMail: (wanted: MailWanted, device: Device) => limitMail(services, wanted, device),
    accounts: prepareAccountQueries(services.db),
  }
}
