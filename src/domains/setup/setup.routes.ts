// The routes by which the first admin is made.
import { z } from '@hono/zod-openapi'
import { clientIp } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, createApi, created, ok, route } from '#platform/http/route.ts'
import { requireSetupLink, setUp } from './first-admin.ts'
import { setupLink, setupRequest } from '#contract/setup/setup.ts'
import type { SetupShop } from './shop.ts'

const success = z.object({ success: z.literal(true) })

export function setupApi(services: SetupShop) {
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
