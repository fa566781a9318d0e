// POST /api/contact: a message to the author.
import { z } from '@hono/zod-openapi'
import { contactMessage } from './contract/contact.ts'
import type { Services } from '../../services.ts'
import { receiveMessage } from './contact.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, created, createApi, route } from '#platform/http/route.ts'

export function contactApi(services: Services) {
  return createApi().openapi(
    route('post', '/contact', {
      ...body(contactMessage),
      middleware: limitPerAddress(services, 'contact', { limit: 10, windowSeconds: 3600 }),
      returns: created(z.object({ success: z.literal(true) }), 'The message is stored'),
      isPublic: true,
    }),
    async (c) => {
      await receiveMessage(services, c.req.valid('json'))
      return c.json({ success: true as const }, 201)
    },
  )
}
