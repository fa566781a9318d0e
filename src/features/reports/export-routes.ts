// Lists as CSV files: an admin asks for a link, and the browser follows it as it follows any download.
import type { WithAuth } from '../accounts/auth.ts'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { create as contentDisposition } from 'content-disposition'
import { Hono } from 'hono'
import { exportLink, exportRequest } from './contract/exports.ts'
import type { Services } from '../../services.ts'
import { openExport, requestExport } from './exports.ts'
import { actorOf } from '../audit/actor.ts'
import { body, createApi, ok, route } from '#platform/http/route.ts'

export type ExportsApi = ReturnType<typeof exportsApi>

export function exportsApi(services: Services & WithAuth) {
  return createApi().openapi(
    route('post', '/exports', {
      ...body(exportRequest),
      middleware: services.auth.requireRecentSignIn,
      returns: ok(exportLink, 'Where the file is'),
    }),
    async (c) => {
      const wanted = c.req.valid('json')
      if (wanted.list === 'users') await services.auth.requireRecentProof(c)
      const { id: user_id, session_id } = c.var.user
      const by = { actor: actorOf(c, services), holder: { user_id, session_id } }
      return c.json(await requestExport(services, by, wanted), 200)
    },
  )
}

/** The link itself is the permission, as long as the session and the role of the admin who asked for it last. */
export function exportFilesApi(services: Services & WithAuth) {
  return new Hono<{ Bindings: HttpBindings }>().get('/exports/:token', async (c) => {
    const { file_name, lines } = await openExport(services, c.req.param('token'))
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition(file_name),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const { outgoing } = c.env
    outgoing.writeHead(200, headers)
    // Who goes away stops the reading; anything else cuts the file, and the browser says that it is not whole.
    pipeline(Readable.from(lines), outgoing).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        services.log.error({ err: error }, 'an export broke off')
    })
    return RESPONSE_ALREADY_SENT
  })
}
