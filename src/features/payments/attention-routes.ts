// What needs the author's attention, and what the author does about it.
import type { WithAuth } from '../accounts/auth.ts'
import { z } from '@hono/zod-openapi'
import {
  dismissableKind,
  dismissal,
  dismissedAcceptance,
  needId,
  attentionCount,
  attentionList,
  attentionRequest,
} from './contract/needs-attention.ts'
import { purchaseStatus } from '../purchases/contract/purchases.ts'
import type { Services } from '../../services.ts'
import { listNeeds } from './list-needs.ts'
import { countNeeds } from './needs-attention.ts'
import { dismiss, lookUpAgain, sendAgain, acceptPayment, checkHeld, refundHeld } from './resolve-attention.ts'
import { actorOf } from '../audit/actor.ts'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'

export type AttentionApi = ReturnType<typeof attentionApi>

const done = ok(z.object({ is_done: z.boolean() }), 'It is done, and in the log')

export function attentionApi(services: Services & WithAuth) {
  const { requireRecentSignIn } = services.auth

  return createApi()
    .openapi(
      route('get', '/payments', {
        query: attentionRequest,
        returns: ok(attentionList, 'A page of what waits'),
      }),
      async (c) => c.json(await listNeeds(services, c.req.valid('query')), 200),
    )
    .openapi(route('get', '/payments/count', { returns: ok(attentionCount, 'How much waits') }), async (c) =>
      c.json(await countNeeds(services), 200),
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
        middleware: requireRecentSignIn,
        returns: done,
      }),
      async (c) => {
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
        middleware: requireRecentSignIn,
        returns: done,
      }),
      async (c) => {
        await refundHeld(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(route('post', '/payments/mail/{id}/again', { params: idParam, returns: done }), async (c) => {
      await sendAgain(services, actorOf(c, services), c.req.valid('param').id)
      return c.json({ is_done: true }, 200)
    })
    .openapi(
      route('post', '/payments/event/{id}/again', { params: z.object({ id: needId }), returns: done }),
      async (c) => {
        await lookUpAgain(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/{kind}/{id}/dismissal', {
        params: z.object({ kind: dismissableKind, id: needId }),
        ...body(dismissal),
        returns: done,
      }),
      async (c) => {
        await dismiss(services, actorOf(c, services), { ...c.req.valid('param'), ...c.req.valid('json') })
        return c.json({ is_done: true }, 200)
      },
    )
}
