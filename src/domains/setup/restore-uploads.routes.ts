// The routes that upload a backup’s file for a restore by screen, by the tus protocol (https://tus.io).
import { Hono } from 'hono'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { allowSlowBody } from '#platform/http/bodies.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { platformProblem } from '#platform/problem.ts'
import { isUploadId } from '#platform/uploads.ts'
import { requireRestore } from './setup-restore.ts'
import type { SetupShop } from './shop.ts'
import { linkHeader } from './setup-restore.routes.ts'

export function restoreUploadsApi(services: SetupShop) {
  const { restoreUploads } = services
  const limited = limitPerAddress(services, 'restore-uploads', { limit: 60, windowSeconds: 3600 })
  return new Hono<ApiEnv>()
    .post('/setup/restore/uploads', limited, async (c) => {
      await requireRestore(services, c.req.header(linkHeader) ?? '', { hasBegun: false })
      return restoreUploads.handle(c.req.raw)
    })
    .on(['GET', 'PATCH', 'DELETE'], '/setup/restore/uploads/:id', async (c) => {
      await requireRestore(services, c.req.header(linkHeader) ?? '')
      // Hono serves HEAD where it serves GET, which is refused: unfinished uploads are not sent out.
      if (!isUploadId(c.req.param('id') ?? '') || c.req.method === 'GET')
        throw platformProblem('request.not_found')
      allowSlowBody(c.env?.incoming)
      return await restoreUploads.handle(c.req.raw)
    })
}
