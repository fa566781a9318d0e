// Messages to the author, and purchases that move to another address.
import { z } from '@hono/zod-openapi'
import { limitAdminMails, limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, created, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { receiveMessage } from './received-messages.ts'
import { deleteMessage, listMessages, markMessage } from './messages.ts'
import { deleteSnippet, listSnippets, saveSnippet } from './snippets.ts'
import {
  contactMessage,
  message,
  messageChange,
  messageDetail,
  messageList,
  messageListRequest,
  replyParams,
  replyRequest,
  snippet,
  snippetList,
  snippetRequest,
} from '#contract/readers/messages.ts'
import { previewReply, readMessage, sendReply } from './replies.ts'
import { mailPreview } from '#contract/mail/mail-preview.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { id } from '#contract/fields.ts'
import { clientIp } from '#platform/http/client-ip.ts'
import { hashOf } from '#platform/mailed-token.ts'
import { addressCorrection } from '#contract/orders/guest-purchases.ts'
import { moveRequest, objection } from '#contract/readers/moves.ts'
import { correctOwnAddress } from './corrected-addresses.ts'
import { movePurchase, objectToMove } from './moved-purchases.ts'

/** An audience may stand behind one address. What robots write is refused by a field that no person sees. */
const messagesPerNetwork = { limit: 60, windowSeconds: 3600 }

export function contactApi(services: CommerceShop) {
  return createApi().openapi(
    route('post', '/contact', {
      ...body(contactMessage),
      middleware: limitPerAddress(services, 'contact', messagesPerNetwork),
      returns: created(z.object({ success: z.literal(true) }), 'The message is stored'),
      isPublic: true,
    }),
    async (c) => {
      await receiveMessage(services, c.req.valid('json'))
      return c.json({ success: true as const }, 201)
    },
  )
}

export type MessagesApi = ReturnType<typeof messagesApi>

const changed = ok(message, 'The message as it is now')

export function messagesApi(services: CommerceShop) {
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
      async (c) => c.json(await markMessage(services, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(route('delete', '/messages/{id}', { params: idParam, returns: changed }), async (c) =>
      c.json(await deleteMessage(services, actorOf(c, services), c.req.valid('param').id, true), 200),
    )
    .openapi(route('post', '/messages/{id}/restore', { params: idParam, returns: changed }), async (c) =>
      c.json(await deleteMessage(services, actorOf(c, services), c.req.valid('param').id, false), 200),
    )
    .openapi(
      route('get', '/messages/{id}', {
        params: idParam,
        returns: ok(messageDetail, 'A message, its replies and its writer'),
      }),
      async (c) => c.json(await readMessage(services, c.req.valid('param').id), 200),
    )
    .openapi(
      route('put', '/messages/{id}/replies/{reply_id}', {
        params: replyParams,
        ...body(replyRequest),
        middleware: limitAdminMails(services),
        returns: ok(messageDetail, 'The message with its reply, which is on its way'),
      }),
      async (c) => {
        const { body: text } = c.req.valid('json')
        return c.json(await sendReply(services, actorOf(c, services), c.req.valid('param'), text), 200)
      },
    )
    .openapi(
      route('post', '/messages/{id}/preview', {
        params: idParam,
        ...body(replyRequest),
        returns: ok(mailPreview, 'The reply as its reader would get it; nothing is sent'),
      }),
      async (c) => {
        const { body: text } = c.req.valid('json')
        return c.json(await previewReply(services, c.var.user, c.req.valid('param').id, text), 200)
      },
    )
    .openapi(
      route('get', '/snippets', { returns: ok(snippetList, 'Stock answers, by their titles') }),
      async (c) => c.json(await listSnippets(services.db), 200),
    )
    .openapi(
      route('put', '/snippets/{id}', {
        params: idParam,
        ...body(snippetRequest),
        returns: ok(snippet, 'The stock answer as it is now'),
      }),
      async (c) => c.json(await saveSnippet(services.db, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      route('delete', '/snippets/{id}', {
        params: idParam,
        returns: ok(snippet, 'The stock answer that was deleted'),
      }),
      async (c) => c.json(await deleteSnippet(services.db, c.req.valid('param').id), 200),
    )
}

export type PurchaseMovesApi = ReturnType<typeof purchaseMovesApi>

export function purchaseMovesApi(services: CommerceShop) {
  return createApi().openapi(
    route('put', '/purchases/{id}/moves/{move_id}', {
      params: z.object({ id, move_id: id }),
      ...body(moveRequest),
      returns: ok(z.object({ id }), 'The move, also where it was made before'),
    }),
    async (c) => {
      await services.auth.requireRecentProof(c)
      const { id: purchase_id, move_id } = c.req.valid('param')
      const move = { id: move_id, purchase_id, ...c.req.valid('json') }
      await movePurchase(services, actorOf(c, services), move)
      return c.json({ id: move_id }, 200)
    },
  )
}

export function movesApi(services: CommerceShop) {
  const limit = limitPerAddress(services, 'address-corrections', { limit: 20, windowSeconds: 600 })
  return createApi()
    .openapi(
      route('post', '/guest/purchases/{id}/address', {
        isPublic: true,
        params: idParam,
        ...body(addressCorrection),
        middleware: limit,
        returns: ok(z.object({ is_corrected: z.literal(true) }), 'The order is under this address'),
      }),
      async (c) => {
        const { proof, ...correction } = c.req.valid('json')
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(proof) }
        await correctOwnAddress(services, access, {
          ...correction,
          ip: clientIp(c, services.config.trustedProxies),
        })
        return c.json({ is_corrected: true as const }, 200)
      },
    )
    .openapi(
      route('post', '/moved-purchases/objection', {
        isPublic: true,
        ...body(objection),
        middleware: limitPerAddress(services, 'objections', { limit: 20, windowSeconds: 600 }),
        returns: ok(z.object({ is_sent: z.literal(true) }), 'The author has the objection'),
      }),
      async (c) => {
        await objectToMove(services, c.req.valid('json'))
        return c.json({ is_sent: true as const }, 200)
      },
    )
}
