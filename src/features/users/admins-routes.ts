// The admins, for the settings:
//   GET  /api/admin/admins  who they are
//   POST /api/admin/admins  makes one, or invites one; asks for a recent proof
import { createRoute } from '@hono/zod-openapi'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { addAdmin, listAdmins } from './admins.ts'
import { adminAdded, adminList, adminRequest } from './contract/admins.ts'

export type AdminsApi = ReturnType<typeof adminsApi>

export function adminsApi(services: Services & WithAuth) {
  const list = createRoute({
    method: 'get',
    path: '/admins',
    security: bearer,
    responses: { 200: json(adminList, 'All admins'), ...refusal },
  })
  const add = createRoute({
    method: 'post',
    path: '/admins',
    security: bearer,
    request: body(adminRequest),
    responses: { 200: json(adminAdded, 'The account is admin'), ...refusal },
  })
  return createApi()
    .openapi(list, async (c) => c.json({ items: await listAdmins(services.db) }, 200))
    .openapi(add, async (c) => {
      const { email, current_password } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      const requireProof = await services.auth.prepareProof(c.var.user, { current_password, network })
      return c.json({ outcome: await addAdmin(services, actorOf(c, services), email, requireProof) }, 200)
    })
}
