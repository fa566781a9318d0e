// GET /api/pictures/:id/:rendition: a picture, for everybody. An address never stands for another picture.
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Services } from '../../services.ts'
import { openPicture } from './pictures.ts'

export function picturesApi(services: Pick<Services, 'storage' | 'log'>) {
  const { storage, log } = services
  return new Hono<{ Bindings: HttpBindings }>().get('/pictures/:id/:rendition', async (c) => {
    const { id, rendition } = c.req.param()
    const { path, size, etag, mediaType } = await openPicture(services, id, rendition)
    const headers = {
      'content-type': mediaType,
      'content-length': String(size),
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      // Also for readers of mails on pages of others.
      'cross-origin-resource-policy': 'cross-origin',
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const content = await storage.read(path)
    c.env.outgoing.writeHead(200, headers)
    pipeline(content, c.env.outgoing).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, 'a picture broke off')
    })
    return RESPONSE_ALREADY_SENT
  })
}
