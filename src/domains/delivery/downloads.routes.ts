// Links to the files of a purchase, for accounts and for guests, and the files themselves.
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { download, downloadRequest } from '#contract/orders/purchases.ts'
import { guestDownloadRequest } from '#contract/orders/guest-purchases.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { hashOf } from '#platform/mailed-token.ts'
import { clientIp } from '#platform/http/client-ip.ts'
import { sendFile } from '#platform/http/sent-file.ts'
import { limitPerAccount, limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { countSent, openDownload, requestDownload } from './downloads.ts'

export function downloadsApi(services: CommerceShop) {
  const { requireUser } = services.auth

  return createApi()
    .openapi(
      route('post', '/purchases/{id}/download', {
        params: idParam,
        ...body(downloadRequest),
        middleware: [requireUser, limitPerAccount(services, 'downloads', { limit: 60, windowSeconds: 600 })],
        returns: ok(download, 'A link that works for some minutes'),
      }),
      async (c) => {
        const { id: user_id, session_id } = c.var.user
        const request = { user_id, session_id, purchase_id: c.req.valid('param').id, ...c.req.valid('json') }
        return c.json(await requestDownload(services, request, callerOf(c, services)), 200)
      },
    )
    .openapi(
      route('post', '/guest/purchases/{id}/download', {
        isPublic: true,
        params: idParam,
        ...body(guestDownloadRequest),
        middleware: limitPerAddress(services, 'guest-downloads', perNetwork),
        returns: ok(download, 'A link that works for some minutes'),
      }),
      async (c) => {
        const { proof, ...file } = c.req.valid('json')
        const access = { purchase_id: c.req.valid('param').id, access: hashOf(proof).toString('hex') }
        return c.json(await requestDownload(services, { ...access, ...file }, callerOf(c, services)), 200)
      },
    )
}

export function filesApi(services: CommerceShop) {
  return new Hono<{ Bindings: HttpBindings }>().get('/files/:token', async (c) => {
    const file = await openDownload(services, c.req.param('token'), callerOf(c, services))
    return sendFile(services, c, file, (bytes) => countSent(services, file, bytes))
  })
}

function callerOf(c: Context, { config }: CommerceShop) {
  return { ip: clientIp(c, config.trustedProxies), user_agent: c.req.header('user-agent')?.slice(0, 300) }
}
