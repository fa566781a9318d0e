// The routes of what needs the author’s attention, and of what can be done about it.
import { z } from '@hono/zod-openapi'
import {
  dismissableKind,
  dismissal,
  dismissedAcceptance,
  attentionId,
  attentionCount,
  attentionList,
  attentionRequest,
} from '#contract/payments/needs-attention.ts'
import { purchaseStatus } from '#contract/orders/purchases.ts'
import { listAttentionItems, countAttentionItems } from './attention.ts'
import {
  dismiss,
  lookUpAgain,
  sendAgain,
  acceptPayment,
  checkHeld,
  refundHeld,
} from '#domains/payments/resolve-attention.ts'
import { limitAdminMails } from '#platform/http/rate-limits.ts'
import { actorOf, body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export type AttentionApi = ReturnType<typeof attentionApi>

const done = ok(z.object({ is_done: z.boolean() }), 'It is done, and in the log')

export function attentionApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('get', '/payments', {
        query: attentionRequest,
        returns: ok(attentionList, 'A page of what waits'),
      }),
      async (c) => c.json(await listAttentionItems(services, c.req.valid('query')), 200),
    )
    .openapi(route('get', '/payments/count', { returns: ok(attentionCount, 'How much waits') }), async (c) =>
      c.json(await countAttentionItems(services), 200),
    )
    .openapi(
      route('post', '/payments/held/{id}/check', {
        params: idParam,
        returns: ok(
          z.object({ status: purchaseStatus.nullable() }),
          'The purchase, as its payment has it now; null while it still waits',
        ),
      }),
      async (c) => {
        const status = await checkHeld(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ status }, 200)
      },
    )
    .openapi(
      route('post', '/payments/held/{id}/accept', {
        params: idParam,
        returns: done,
      }),
      async (c) => {
        await services.auth.requireRecentProof(c)
        const accepted = { purchase_id: c.req.valid('param').id, state: 'held' } as const
        await acceptPayment(services, actorOf(c, services), accepted)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/dismissed/{id}/accept', {
        params: idParam,
        ...body(dismissedAcceptance),
        returns: done,
      }),
      async (c) => {
        const { current_password } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        const accepted = { purchase_id: c.req.valid('param').id, state: 'dismissed' } as const
        await acceptPayment(services, actorOf(c, services), accepted)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/held/{id}/refund', {
        params: idParam,
        returns: done,
      }),
      async (c) => {
        await services.auth.requireRecentProof(c)
        await refundHeld(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/mail/{id}/again', {
        params: idParam,
        middleware: limitAdminMails(services),
        returns: done,
      }),
      async (c) => {
        await sendAgain(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/event/{id}/again', { params: z.object({ id: attentionId }), returns: done }),
      async (c) => {
        await lookUpAgain(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/{kind}/{id}/dismissal', {
        params: z.object({ kind: dismissableKind, id: attentionId }),
        ...body(dismissal),
        returns: done,
      }),
      async (c) => {
        await dismiss(services, actorOf(c, services), { ...c.req.valid('param'), ...c.req.valid('json') })
        return c.json({ is_done: true }, 200)
      },
    )
}
