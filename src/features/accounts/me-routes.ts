// The caller:
//   GET  /api/me        who it is, as the database says right now
//   POST /api/me/proof  gives the own password again, for what asks for a recent sign-in or proof
import type { WithAuth } from './auth.ts'
import { createRoute, z } from '@hono/zod-openapi'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { me, ownPassword } from './contract/accounts.ts'
import type { Services } from '../../services.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

const proven = z.object({ success: z.literal(true) })

export function accountsApi({ auth, mail, config }: Pick<Services, 'mail' | 'config'> & WithAuth) {
  const whoAmI = createRoute({
    method: 'get',
    path: '/me',
    security: bearer,
    middleware: [auth.requireUser] as const,
    responses: { 200: json(me, 'The signed-in person'), ...refusal },
  })

  const prove = createRoute({
    method: 'post',
    path: '/me/proof',
    security: bearer,
    middleware: [auth.requireUser] as const,
    request: body(ownPassword),
    responses: { 200: json(proven, 'It counts for the next ten minutes'), ...refusal },
  })

  return createApi()
    .openapi(whoAmI, (c) => {
      const { id, email, display_name, is_admin } = c.var.user
      const reads_mails = is_admin && mail.isKept()
      return c.json({ id, email, display_name, is_admin, reads_mails }, 200)
    })
    .openapi(prove, async (c) => {
      const { current_password } = c.req.valid('json')
      const network = clientNetwork(c, config.trustedProxies)
      await auth.renewProof(c.var.user, { current_password, network })
      return c.json({ success: true as const }, 200)
    })
}
