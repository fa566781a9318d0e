// The auth service: accounts, sessions, second factors and links, on GoTrue's HTTP contract. Knows nothing of the shop.
import type { Hono, MiddlewareHandler } from 'hono'
import type { ApiEnv } from '#platform/http/route.ts'
import { createAdminAccounts, type AdminAccounts } from './admin-accounts.ts'
import { createGuard, type GuardEnv, type SessionOfUser } from './guard.ts'
import type { SignedInUser } from '#platform/http/signed-in-user.ts'
import { createAccount, ensureAdmin, type Around, type NewAccount } from './created-accounts.ts'
import { createAccountsContext, type AuthServices } from './accounts-context.ts'
import { comparePassword, prepareAdminProof, renewProof, type RequireProof } from './recent-proof.ts'
import { createRoutes } from './routes.ts'
import { sweep } from './sweep.ts'

export type { Around, NewAccount } from './created-accounts.ts'

export type Auth = {
  /** To be mounted at /auth/v1. */
  app: Hono<ApiEnv>
  /** Sets `c.var.user`. */
  requireUser: MiddlewareHandler<GuardEnv>
  /** As requireUser, for a link that a session was given. */
  requireSession(session: SessionOfUser): Promise<SignedInUser>
  /** Stands behind requireUser. */
  requireAdmin: MiddlewareHandler<GuardEnv>
  /**
   * Reads the body, and asks again: an admin may send it slowly, and rights that end meanwhile count. Stands behind
   * requireAdmin and the limit of bodies.
   */
  requireAdminStill: MiddlewareHandler<GuardEnv>
  /** Stands behind requireUser. Throws auth.reauthentication_needed a day after the last sign-in. */
  requireRecentSignIn: MiddlewareHandler<GuardEnv>
  /**
   * Asks an admin for a sign-in, or `current_password`, and a code at most ten minutes old. The password counts for the
   * next ten minutes.
   */
  requireRecentProof(caller: SignedInUser, given: GivenProof): Promise<void>
  /** As requireRecentProof, but the check runs where it is called: first in the transaction of the change. */
  prepareProof(caller: SignedInUser, given: GivenProof): Promise<RequireProof>
  /** The password counts as given by this session for the next ten minutes. */
  renewProof(caller: SignedInUser, given: GivenProof): Promise<void>
  /** Verified at once; `around` joins its transaction. */
  createAccount(account: NewAccount, around?: Around): Promise<{ user_id: string }>
  /** What an admin may do with an account. */
  admin: AdminAccounts
  /** The account exists, is verified and is admin; a password that its owner has chosen stays. */
  ensureAdmin(email: string, password?: string): Promise<void>
  /** Deletes what nobody needs any more; safe at any time. */
  sweep(): Promise<void>
}

export type WithAuth = { auth: Auth }

type GivenProof = { current_password: string | undefined; network: string }

export function createAuth(services: AuthServices): Auth {
  const context = createAccountsContext(services)
  const guard = createGuard(context)
  return {
    app: createRoutes(context, guard),
    requireUser: guard.requireUser,
    requireSession: guard.requireSession,
    requireAdmin: guard.requireAdmin,
    requireAdminStill: guard.requireAdminStill,
    requireRecentSignIn: guard.requireRecentSignIn,
    async requireRecentProof(caller, given) {
      await services.db.transaction(await prepareAdminProof(context, caller, given))
    },
    prepareProof: (caller, given) => prepareAdminProof(context, caller, given),
    async renewProof(caller, { current_password, network }) {
      await comparePassword(context, { user_id: caller.id, network }, current_password)
      await renewProof(context.db, caller, context.clock())
    },
    createAccount: (account, around) => createAccount(context, account, around),
    admin: createAdminAccounts(context),
    ensureAdmin: (email, password) => ensureAdmin(context, email, password),
    sweep: () => sweep(context),
  }
}
