// The spec's function `admin-create-user`, under that name.
import { Hono } from 'hono'
import { functionRefusals, readFunctionRequest } from '#platform/http/functions.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { createUserRequest } from '../accounts/contract/accounts.ts'
import { actorOf } from '../audit/actor.ts'
import { createUser } from './users.ts'

export function createUserFunction(services: Services & WithAuth) {
  const { requireUser, requireAdmin, requireRecentSignIn } = services.auth
  const guard = [functionRefusals, requireUser, requireAdmin, requireRecentSignIn] as const
  return new Hono<ApiEnv>().post('/admin-create-user', ...guard, async (c) => {
    const { displayName, ...account } = await readFunctionRequest(c, createUserRequest)
    await createUser(services, actorOf(c, services), { ...account, display_name: displayName })
    return c.json({ success: true, message: `User ${account.email} was created.` })
  })
}
