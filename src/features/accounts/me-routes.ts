// GET /api/me: who the caller is, as the database says right now.
import type { WithAuth } from './auth.ts'
import { createRoute } from '@hono/zod-openapi'
import { me } from './contract/accounts.ts'
import type { Services } from '../../services.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'

export function accountsApi({ auth, mail }: Pick<Services, 'mail'> & WithAuth) {
  const whoAmI = createRoute({
    method: 'get',
    path: '/me',
    security: bearer,
    middleware: [auth.requireUser] as const,
    responses: { 200: json(me, 'The signed-in person'), ...refusal },
  })

  return createApi().openapi(whoAmI, (c) => {
    const { id, email, display_name, is_admin } = c.var.user
    const reads_mails = is_admin && mail.isKept()
    return c.json({ id, email, display_name, is_admin, reads_mails }, 200)
  })
}
