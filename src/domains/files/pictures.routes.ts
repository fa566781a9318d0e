// The routes of pictures: uploaded by admins, and shown to everyone.
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { body, created, createApi, route, actorOf } from '#platform/http/route.ts'
import { sendStream } from '#platform/http/sent-file.ts'
import { addedPicture, pictureRequest } from '#contract/files/pictures.ts'
import { openPicture, uploadPicture } from './pictures.ts'
import type { FilesShop } from './shop.ts'

export type AdminPicturesApi = ReturnType<typeof adminPicturesApi>

export function adminPicturesApi(services: FilesShop) {
  const returns = created(addedPicture, 'The picture, as others refer to it, and its colors')
  return createApi().openapi(route('post', '/pictures', { ...body(pictureRequest), returns }), async (c) => {
    const { upload_id } = c.req.valid('json')
    return c.json(await uploadPicture(services, actorOf(c, services), upload_id), 201)
  })
}

/**
 * An SVG that is opened by itself is a document: it runs no script, loads nothing, and has an origin of its own. Its own
 * styles are allowed, and so are pictures within it.
 */
const policies: Record<string, string> = {
  'image/svg+xml': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
}

/** Serves everybody. An address never stands for another picture. */
export function picturesApi(services: FilesShop) {
  return new Hono<{ Bindings: HttpBindings }>().get('/pictures/:id/:rendition', async (c) => {
    const { id, rendition } = c.req.param()
    const { path, size, etag, mediaType } = await openPicture(services, id, rendition)
    const headers = {
      'content-type': mediaType,
      'content-length': String(size),
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      'x-content-type-options': 'nosniff',
      'content-security-policy': policies[mediaType] ?? "default-src 'none'; sandbox",
      // Mails that are read on pages of others show the picture, too.
      'cross-origin-resource-policy': 'cross-origin',
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const content = await services.storage.read(path)
    return sendStream(c, services.log, { status: 200, headers, content, name: 'a picture' })
  })
}
