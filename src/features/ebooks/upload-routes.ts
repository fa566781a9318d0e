// File uploads by the tus protocol (https://tus.io).
import type { WithAuth } from '../accounts/auth.ts'
import { Hono } from 'hono'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { isUploadId } from '#platform/uploads.ts'
import type { ApiEnv } from '#platform/http/route.ts'

export function uploadsApi({ auth, uploads }: Pick<Services, 'uploads'> & WithAuth) {
  const app = new Hono<ApiEnv>()
  const guard = [auth.requireUser, auth.requireAdmin] as const
  for (const [method, path] of [
    ['POST', '/admin/uploads'],
    ['GET', '/admin/uploads/:id'],
    ['PATCH', '/admin/uploads/:id'],
    ['DELETE', '/admin/uploads/:id'],
  ] as const) {
    app.on(method, path, ...guard, async (c) => {
      // This route exists for HEAD, which Hono serves where it serves GET; unfinished uploads are not sent out.
      const id = c.req.param('id')
      const isNone = id !== undefined && !isUploadId(id)
      if (isNone || c.req.method === 'GET') throw new Problem('request.not_found')
      return await uploads.handle(c.req.raw)
    })
  }
  return app
}
