import { Hono } from 'hono'
import type { WithCoverPictures } from './cover-pictures.ts'

export function coverApi({ coverPictures }: WithCoverPictures) {
  return new Hono().get('/cover/:file', async (c) => {
    const file = c.req.param('file')
    const { bytes, key } = await coverPictures.get(file)
    // Another address than the page has would show the next cover too late.
    const isCurrent = c.req.query('v') === key
    return c.body(Buffer.from(bytes), 200, {
      'content-type': file.endsWith('.png') ? 'image/png' : 'image/jpeg',
      'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })
}
