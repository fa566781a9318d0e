// The caller.
import type { WithAuth } from './auth.ts'
import { z } from '@hono/zod-openapi'
import { me, ownPassword } from './contract/accounts.ts'
import type { Services } from '../../services.ts'
import { body, createApi, ok, route } from '#platform/http/route.ts'

const proven = z.object({ success: z.literal(true) })

export function accountsApi({ auth, mail }: Pick<Services, 'mail'> & WithAuth) {
  return createApi()
    .openapi(
      route('get', '/me', { middleware: auth.requireUser, returns: ok(me, 'The signed-in person') }),
      (c) => {
        const { id, email, display_name, is_admin } = c.var.user
        const reads_mails = is_admin && mail.isKept()
        return c.json({ id, email, display_name, is_admin, reads_mails }, 200)
      },
    )
    .openapi(
      route('post', '/me/proof', {
        ...body(ownPassword),
        middleware: auth.requireUser,
        returns: ok(proven, 'It counts for the next ten minutes'),
      }),
      async (c) => {
        const { current_password } = c.req.valid('json')
        await auth.renewProof(c, current_password)
        return c.json({ success: true as const }, 200)
      },
    )
}
