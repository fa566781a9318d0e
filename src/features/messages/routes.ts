// What visitors wrote, for the admin area.
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
import { message, messageChange, messageList, messageListRequest } from './contract/messages.ts'
import type { Services } from '../../services.ts'
import { deleteMessage, listMessages, markMessage } from './messages.ts'
import { actorOf } from '../audit/actor.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

export type MessagesApi = ReturnType<typeof messagesApi>

const one = z.object({ id })
const changed = { 200: json(message, 'The message as it is now'), ...refusal }

export function messagesApi(services: Services) {
  const list = createRoute({
    method: 'get',
    path: '/messages',
    security: bearer,
    request: { query: messageListRequest },
    responses: { 200: json(messageList, 'A page of messages'), ...refusal },
  })
  const mark = createRoute({
    method: 'patch',
    path: '/messages/{id}',
    security: bearer,
    request: { params: one, ...body(messageChange) },
    responses: changed,
  })
  const remove = createRoute({
    method: 'delete',
    path: '/messages/{id}',
    security: bearer,
    request: { params: one },
    responses: changed,
  })
  const restore = createRoute({
    method: 'post',
    path: '/messages/{id}/restore',
    security: bearer,
    request: { params: one },
    responses: changed,
  })
  return createApi()
    .openapi(list, async (c) => c.json(await listMessages(services.db, c.req.valid('query')), 200))
    .openapi(mark, async (c) =>
      c.json(await markMessage(services, c.req.valid('param').id, c.req.valid('json').is_read), 200),
    )
    .openapi(remove, async (c) =>
      c.json(await deleteMessage(services, actorOf(c, services), c.req.valid('param').id, true), 200),
    )
    .openapi(restore, async (c) =>
      c.json(await deleteMessage(services, actorOf(c, services), c.req.valid('param').id, false), 200),
    )
}
