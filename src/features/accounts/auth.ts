// The auth service: accounts, sessions, second factors and links, on GoTrue's HTTP contract. Knows nothing of the shop.
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { clientNetwork } from '#platform/http/client-ip.ts'
import type { ApiEnv, SignedInUser } from '#platform/http/route.ts'
import { createAdminAccounts, type AdminAccounts } from './admin-accounts.ts'
import { createGuard, type SessionOfUser } from './guard.ts'
import { createAccount, ensureAdmin, type Around, type NewAccount } from './created-accounts.ts'
import { createAccountsContext, type AuthServices } from './accounts-context.ts'
import { comparePassword, prepareAdminProof, renewProof, type RequireProof } from './recent-proof.ts'
import { createRoutes } from './routes.ts'
import { sweep } from './sweep.ts'

export type { Around, NewAccount } from './created-accounts.ts'

export type Auth = {
  app: Hono<ApiEnv>
  requireUser: MiddlewareHandler<ApiEnv>
  requireSession(session: SessionOfUser): Promise<SignedInUser>
  requireAdmin: MiddlewareHandler<ApiEnv>
  /**
   * Reads the body, and asks again: an admin may send it slowly, and rights that end meanwhile count. Stands behind
   * requireAdmin and the limit of bodies.
   */
  requireAdminStill: MiddlewareHandler<ApiEnv>
  requireRecentSignIn: MiddlewareHandler<ApiEnv>
  /**
   * Asks an admin for a sign-in, or `current_password`, and a code at most ten minutes old. The password counts for the
   * next ten minutes.
   */
  requireRecentProof(c: Context<ApiEnv>, current_password?: string): Promise<void>
  prepareProof(c: Context<ApiEnv>, current_password: string | undefined): Promise<RequireProof>
  renewProof(c: Context<ApiEnv>, current_password: string): Promise<void>
  createAccount(account: NewAccount, around?: Around): Promise<{ user_id: string }>
  admin: AdminAccounts
  ensureAdmin(email: string, password?: string): Promise<void>
  sweep(): Promise<void>
}

export type WithAuth = { auth: Auth }

export function createAuth(services: AuthServices): Auth {
  const context = createAccountsContext(services)
  const guard = createGuard(context)
  const networkOf = (c: Context) => clientNetwork(c, services.config.trustedProxies)
  const prepareProof: Auth['prepareProof'] = (c, current_password) =>
    prepareAdminProof(context, c.var.user, { current_password, network: networkOf(c) })
  return {
    app: createRoutes(context, guard),
    requireUser: guard.requireUser,
    requireSession: guard.requireSession,
    requireAdmin: guard.requireAdmin,
    requireAdminStill: guard.requireAdminStill,
    requireRecentSignIn: guard.requireRecentSignIn,
    async requireRecentProof(c, current_password) {
      await services.db.transaction(await prepareProof(c, current_password))
    },
    prepareProof,
    async renewProof(c, current_password) {
      const { user } = c.var
      await comparePassword(context, { user_id: user.id, network: networkOf(c) }, current_password)
      await renewProof(context.db, user, context.clock())
    },
    createAccount: (account, around) => createAccount(context, account, around),
    admin: createAdminAccounts(context),
    ensureAdmin: (email, password) => ensureAdmin(context, email, password),
    sweep: () => sweep(context),
  }
}
