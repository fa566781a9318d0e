// The caller who fetches a file, as it is stored with the download.
import type { Context } from 'hono'
import { clientIp } from '#platform/http/client-ip.ts'
import type { Services } from '../../services.ts'
import type { Caller } from './downloads.ts'

export function callerOf(c: Context, { config }: Pick<Services, 'config'>): Caller {
  return {
    ip: clientIp(c, config.trustedProxies),
    user_agent: c.req.header('user-agent')?.slice(0, 300),
  }
}
