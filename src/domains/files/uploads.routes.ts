// The routes of file uploads by the tus protocol (https://tus.io).
import { Hono } from 'hono'
import type { ApiEnv } from '#platform/http/route.ts'
import type { FilesShop } from './shop.ts'
import { platformProblem } from '#platform/problem.ts'
import { isUploadId } from '#platform/uploads.ts'

export function uploadsApi({ auth, uploads }: FilesShop) {
  const guard = [auth.requireUser, auth.requireAdmin] as const
  return new Hono<ApiEnv>()
    .post('/admin/uploads', ...guard, (c) => uploads.handle(c.req.raw))
    .on(['GET', 'PATCH', 'DELETE'], '/admin/uploads/:id', ...guard, async (c) => {
      // Hono serves HEAD where it serves GET, which is refused: unfinished uploads are not sent out.
      if (!isUploadId(c.req.param('id') ?? '') || c.req.method === 'GET')
        throw platformProblem('request.not_found')
      return await uploads.handle(c.req.raw)
    })
}
