// What the holder of the setup link may do, while there is no admin:
//   POST /api/setup/link  whether the link is valid
//   POST /api/setup       makes the admin account
import { createRoute, z } from '@hono/zod-openapi'
import { clientIp } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/limits.ts'
import { body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { setupLink, setupRequest } from './contract/setup.ts'
import { requireSetupLink, setUp } from './setup-link.ts'

const success = z.object({ success: z.literal(true) })

export function setupApi(services: Services & WithAuth) {
  const limited = limitPerAddress(services, 'setup', { limit: 30, windowSeconds: 3600 })
  const check = createRoute({
    method: 'post',
    path: '/setup/link',
    middleware: [limited] as const,
    request: body(setupLink),
    responses: { 200: json(success, 'The link is valid, and there is no admin'), ...refusal },
  })
  const make = createRoute({
    method: 'post',
    path: '/setup',
    middleware: [limited] as const,
    request: body(setupRequest),
    responses: { 201: json(success, 'The account is made, verified and admin'), ...refusal },
  })
  return createApi()
    .openapi(check, async (c) => {
      await requireSetupLink(services, c.req.valid('json').token)
      return c.json({ success: true as const }, 200)
    })
    .openapi(make, async (c) => {
      await setUp(services, c.req.valid('json'), clientIp(c, services.config.trustedProxies))
      return c.json({ success: true as const }, 201)
    })
}
