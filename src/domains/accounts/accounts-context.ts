// The services of the accounts domain, made once: keys, tokens, limits and prepared queries.
import type { Passwords } from './passwords.ts'
import type { MailShop } from '#domains/mail/shop.ts'
import { createAccessTokens, createRefreshTokens, openSigningKeys } from './tokens.ts'
import type { Device } from './sessions.ts'
import { prepareAccountQueries } from './accounts.ts'
import { createLimits } from './limits.ts'
import { limitMail, type MailRequest } from './mail-limits.ts'

export type AuthServices = MailShop & { passwords: Passwords }

export type AccountsContext = ReturnType<typeof createAccountsContext>

export function createAccountsContext(services: AuthServices) {
  const keys = openSigningKeys(services)
  return {
    ...services,
    keys,
    accessTokens: createAccessTokens(services, keys),
    refreshTokens: createRefreshTokens(services),
    limits: createLimits(services),
    limitMail: (request: MailRequest, device: Device) => limitMail(services, request, device),
    accounts: prepareAccountQueries(services.db),
  }
}
