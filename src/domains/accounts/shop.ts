// The auth service, and what the functions of this domain get.
import type { MailShop } from '#domains/mail/shop.ts'
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { clientNetwork } from '#platform/http/client-ip.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { ownProof } from '#contract/accounts/accounts.ts'
import { createAdminAccounts } from './admin-accounts.ts'
import { createGuard } from './guard.ts'
import {
  comparePassword,
  prepareAdminProof,
  renewProof,
  requireRecentProof,
  proveByCode,
} from './recent-proof.ts'
import { createAccount, ensureAdmin, type AccountHooks, type NewAccount } from './created-accounts.ts'
import { createAccountsContext, type AuthServices } from './accounts-context.ts'
import type { MailRequest } from './mail-limits.ts'
import { createOwnAccounts } from './own-account.ts'
import { deviceOf } from './gotrue.ts'
import { createRoutes } from './accounts.routes.ts'
import { sweep } from './sweep.ts'

export type AccountsShop = MailShop & { auth: Auth }

export type { AccountHooks, NewAccount } from './created-accounts.ts'

type Auth = ReturnType<typeof createAuth>

/** Accounts, sessions, second factors and links, on GoTrue's HTTP contract. Knows nothing of the shop. */
export function createAuth(services: AuthServices) {
  const context = createAccountsContext(services)
  const guard = createGuard(context)
  const networkOf = (c: Context) => clientNetwork(c, services.config.trustedProxies)
  const prepareProof = (c: Context<ApiEnv>, current_password: string | undefined) =>
    prepareAdminProof(context, c.var.user, { current_password, network: networkOf(c) })
  return {
    ...guard,
    app: createRoutes(context, guard),
    prepareProof,
    /** Proofs count for ten minutes. */
    async requireRecentProof(c: Context<ApiEnv>, current_password?: string): Promise<void> {
      await services.db.transaction(await prepareProof(c, current_password))
    },
    /** Guards changes of the caller's own account, and what it alone may see. */
    requireOwnProof: (async (c, next) => {
      requireRecentProof(c.var.user, context.clock())
      await next()
    }) satisfies MiddlewareHandler<ApiEnv>,
    async renewProof(c: Context<ApiEnv>, input: z.output<typeof ownProof>): Promise<void> {
      const { user } = c.var
      if ('code' in input) return proveByCode(context, user, input.code, deviceOf(c, services.config))
      await comparePassword(context, { user_id: user.id, network: networkOf(c) }, input.current_password)
      await renewProof(context.db, user, context.clock())
    },
    /** Throws a 429. */
    limitMail: (c: Context, request: MailRequest) => context.limitMail(request, deviceOf(c, services.config)),
    createAccount: (account: NewAccount, hooks?: AccountHooks) => createAccount(context, account, hooks),
    admin: createAdminAccounts(context),
    own: createOwnAccounts(context),
    ensureAdmin: (email: string, password?: string) => ensureAdmin(context, email, password),
    sweep: () => sweep(context),
  }
}
