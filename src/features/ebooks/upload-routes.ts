// Files on their way to the shelf, by the tus protocol (https://tus.io): their bytes are no JSON, and many.
import type { WithAuth } from '../accounts/auth.ts'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { ApiEnv } from '#platform/http/route.ts'

export function uploadsApi({ auth, uploads }: Pick<Services, 'uploads'> & WithAuth) {
  const app = new Hono<ApiEnv & { Bindings: HttpBindings }>()
  const guard = [auth.requireUser, auth.requireAdmin] as const
  for (const [method, path] of [
    ['POST', '/admin/uploads'],
    ['GET', '/admin/uploads/:id'],
    ['PATCH', '/admin/uploads/:id'],
    ['DELETE', '/admin/uploads/:id'],
  ] as const) {
    app.on(method, path, ...guard, async (c) => {
      // Hono answers HEAD where it answers GET; what is on its way in is not given out.
      if (c.req.method === 'GET') throw new Problem('request.not_found')
      // Of an answer to HEAD Hono makes another, which must not come after one that was sent.
      if (c.req.method === 'HEAD') return await uploads.look(c.req.raw)
      await uploads.handle(c.env.incoming, c.env.outgoing)
      return RESPONSE_ALREADY_SENT
    })
  }
  return app
}
