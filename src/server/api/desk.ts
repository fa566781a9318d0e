// Everything under /api/admin: one guard before all of it, so that no route can forget it.
import type { Context } from 'hono'
import { clientIp } from '../client-ip.ts'
import type { Services } from '../services.ts'
import type { Actor } from '../shop/audit.ts'
import { createApi, type ApiEnv } from './route.ts'
import { salesApi } from './sales.ts'

export function deskApi(services: Services) {
  const { requireUser, requireAdmin } = services.auth
  const api = createApi()
  api.use('*', requireUser, requireAdmin)
  api.route('/', salesApi(services))
  return api
}

/** Who acts, for the audit log. */
export function actorOf(c: Context<ApiEnv>, { config }: Pick<Services, 'config'>): Actor {
  const { id, email } = c.var.user
  return { id, email, ip: clientIp(c, config.trustedProxies) }
}
