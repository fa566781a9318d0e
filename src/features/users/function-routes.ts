// POST /functions/v1/admin-create-user; an admin is made with a recent proof only.
import { Hono } from 'hono'
import { functionRefusals, readFunctionRequest } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { newUserRequest } from './contract.ts'
import { createUser } from './users.ts'

export function createUserFunction(services: Services & WithAuth) {
  const { requireUser, requireAdmin, requireAdminStill, requireRecentSignIn } = services.auth
  const guard = [functionRefusals, requireUser, requireAdmin, requireAdminStill, requireRecentSignIn] as const
  return new Hono<ApiEnv>().post('/admin-create-user', ...guard, async (c) => {
    const { displayName, current_password, ...account } = await readFunctionRequest(c, newUserRequest)
    const isAdmin = account.role === 'admin'
    const before = isAdmin ? await services.auth.prepareProof(c, current_password) : undefined
    const wanted = { ...account, display_name: displayName }
    await createUser(services, actorOf(c, services), wanted, { before })
    return c.json({ success: true, message: `User ${account.email} was created.` })
  })
}
