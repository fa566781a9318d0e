// POST /api/contact: a message to the author.
import { createRoute, z } from '@hono/zod-openapi'
import { contactMessage } from './contract/contact.ts'
import type { Services } from '../../services.ts'
import { receiveMessage } from './contact.ts'
import { limitPerAddress } from '#platform/http/limits.ts'
import { body, createApi, json, refusal } from '#platform/http/route.ts'

export function contactApi(services: Services) {
  const send = createRoute({
    method: 'post',
    path: '/contact',
    middleware: [limitPerAddress(services, 'contact', { limit: 10, windowSeconds: 3600 })] as const,
    request: body(contactMessage),
    responses: { 201: json(z.object({ success: z.literal(true) }), 'The message is stored'), ...refusal },
  })

  return createApi().openapi(send, async (c) => {
    await receiveMessage(services, c.req.valid('json'))
    return c.json({ success: true as const }, 201)
  })
}
