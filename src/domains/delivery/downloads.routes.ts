import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { Services } from '../../services.ts'
import { clientIp } from '#platform/http/client-ip.ts'
import type { WithAuth } from '#domains/accounts/auth.ts'
import { countSent, openDownload } from './downloads.ts'
import { sendFile } from '#platform/http/send-file.ts'

export function filesApi(services: Services & WithAuth) {
  return new Hono<{ Bindings: HttpBindings }>().get('/files/:token', async (c) => {
    const file = await openDownload(services, c.req.param('token'), callerOf(c, services))
    return sendFile(services, c, file, (bytes) => countSent(services, file, bytes))
  })
}

export function callerOf(c: Context, { config }: Pick<Services, 'config'>) {
  return { ip: clientIp(c, config.trustedProxies), user_agent: c.req.header('user-agent')?.slice(0, 300) }
}
