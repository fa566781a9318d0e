// The auth service: accounts, sessions, second factors and links, on GoTrue's HTTP contract. Knows nothing of the shop.
import { accountMailJob } from './account-mail.ts'
import { createGuard } from './guard.ts'
import { createAccount, ensureAdmin, type NewAccount } from './hand-made.ts'
import { createParts, type AuthServices } from './parts.ts'
import { createRoutes } from './routes.ts'
import { sweep } from './sweep.ts'

export type { SignedInUser } from './guard.ts'

export type Auth = ReturnType<typeof createAuth>

export function createAuth(services: AuthServices) {
  const parts = createParts(services)
  const guard = createGuard(parts)
  const { requireUser, requireAdmin, requireRecentSignIn } = guard
  return {
    /** To be mounted at /auth/v1. */
    app: createRoutes(parts, guard),
    requireUser,
    requireAdmin,
    requireRecentSignIn,
    createAccount: (account: NewAccount) => createAccount(parts, account),
    ensureAdmin: (email: string, password?: string) => ensureAdmin(parts, email, password),
    sweep: () => sweep(parts),
    jobs: [accountMailJob] as const,
  }
}
