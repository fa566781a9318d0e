import type { Context } from 'hono'
import type { Services } from '../../services.ts'
import { clientIp } from '#platform/http/client-ip.ts'
import type { Caller } from './downloads.ts'

export function callerOf(c: Context, { config }: Pick<Services, 'config'>): Caller {
  const ip = clientIp(c, config.trustedProxies)
  return { ip, user_agent: c.req.header('user-agent')?.slice(0, 300) }
}
