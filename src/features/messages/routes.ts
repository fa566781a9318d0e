// What visitors wrote, for the admin area.
import { message, messageChange, messageList, messageListRequest } from './contract/messages.ts'
import type { Services } from '../../services.ts'
import { deleteMessage, listMessages, markMessage } from './messages.ts'
import { actorOf } from '../audit/actor.ts'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'

export type MessagesApi = ReturnType<typeof messagesApi>

const changed = ok(message, 'The message as it is now')

export function messagesApi(services: Services) {
  return createApi()
    .openapi(
      route('get', '/messages', {
        query: messageListRequest,
        returns: ok(messageList, 'A page of messages'),
      }),
      async (c) => c.json(await listMessages(services.db, c.req.valid('query')), 200),
    )
    .openapi(
      route('patch', '/messages/{id}', { params: idParam, ...body(messageChange), returns: changed }),
      async (c) =>
        c.json(await markMessage(services, c.req.valid('param').id, c.req.valid('json').is_read), 200),
    )
    .openapi(route('delete', '/messages/{id}', { params: idParam, returns: changed }), async (c) =>
      c.json(await deleteMessage(services, actorOf(c, services), c.req.valid('param').id, true), 200),
    )
    .openapi(route('post', '/messages/{id}/restore', { params: idParam, returns: changed }), async (c) =>
      c.json(await deleteMessage(services, actorOf(c, services), c.req.valid('param').id, false), 200),
    )
}
