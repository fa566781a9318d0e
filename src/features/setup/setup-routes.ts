// What the holder of the setup link may do, while there is no admin.
import { z } from '@hono/zod-openapi'
import { clientIp } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, created, createApi, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { setupLink, setupRequest } from './contract/setup.ts'
import { requireSetupLink, setUp } from './setup-link.ts'

const success = z.object({ success: z.literal(true) })

export function setupApi(services: Services & WithAuth) {
  const limited = limitPerAddress(services, 'setup', { limit: 30, windowSeconds: 3600 })
  return createApi()
    .openapi(
      route('post', '/setup/link', {
        ...body(setupLink),
        middleware: limited,
        returns: ok(success, 'The link is valid, and there is no admin'),
        isPublic: true,
      }),
      async (c) => {
        await requireSetupLink(services, c.req.valid('json').token)
        return c.json({ success: true as const }, 200)
      },
    )
    .openapi(
      route('post', '/setup', {
        ...body(setupRequest),
        middleware: limited,
        returns: created(success, 'The account is made, verified and admin'),
        isPublic: true,
      }),
      async (c) => {
        await setUp(services, c.req.valid('json'), clientIp(c, services.config.trustedProxies))
        return c.json({ success: true as const }, 201)
      },
    )
}
