import type { Context } from 'hono'
import { clientIp } from './client-ip.ts'
import type { Services } from '../services.ts'
import type { Actor } from '../audit-log.ts'
import type { ApiEnv } from './route.ts'

export function actorOf(c: Context<ApiEnv>, { config }: Pick<Services, 'config'>): Actor {
  const { id, email } = c.var.user
  return { id, email, ip: clientIp(c, config.trustedProxies) }
}
