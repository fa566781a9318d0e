// The admins, for the settings.
import { body, createApi, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { addAdmin, listAdmins } from './admins.ts'
import { adminAdded, adminList, adminRequest } from './contract/admins.ts'

export type AdminsApi = ReturnType<typeof adminsApi>

export function adminsApi(services: Services & WithAuth) {
  return createApi()
    .openapi(route('get', '/admins', { returns: ok(adminList, 'All admins') }), async (c) =>
      c.json({ items: await listAdmins(services.db) }, 200),
    )
    .openapi(
      route('post', '/admins', { ...body(adminRequest), returns: ok(adminAdded, 'The account is admin') }),
      async (c) => {
        const { email, current_password } = c.req.valid('json')
        const requireProof = await services.auth.prepareProof(c, current_password)
        return c.json({ outcome: await addAdmin(services, actorOf(c, services), email, requireProof) }, 200)
      },
    )
}
