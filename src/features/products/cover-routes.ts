// GET /api/covers/:name: a product's picture, for everybody. A name never stands for another picture.
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Services } from '../../services.ts'
import { openCover } from './covers.ts'

const mediaTypes = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

export function coversApi(services: Pick<Services, 'storage' | 'log'>) {
  const { storage, log } = services
  return new Hono<{ Bindings: HttpBindings }>().get('/covers/:name', async (c) => {
    const { file_path, size, etag, extension } = await openCover(services, c.req.param('name'))
    const headers = {
      'content-type': mediaTypes[extension],
      'content-length': String(size),
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const content = await storage.read(file_path)
    c.env.outgoing.writeHead(200, headers)
    pipeline(content, c.env.outgoing).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, 'a picture broke off')
    })
    return RESPONSE_ALREADY_SENT
  })
}
