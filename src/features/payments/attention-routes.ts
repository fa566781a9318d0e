// What needs the author's attention, and what the author does about it.
import type { WithAuth } from '../accounts/auth.ts'
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
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
import { acceptPayment, checkHeld, refundHeld } from './resolve-held-payment.ts'
import { countNeeds, listNeeds } from './needs-attention.ts'
import { dismiss, lookUpAgain, sendAgain } from './resolve-attention.ts'
import { actorOf } from '../audit/actor.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

export type AttentionApi = ReturnType<typeof attentionApi>

const one = z.object({ id })
const done = json(z.object({ is_done: z.boolean() }), 'It is done, and in the log')

export function attentionApi(services: Services & WithAuth) {
  const { requireRecentSignIn } = services.auth
  const list = createRoute({
    method: 'get',
    path: '/payments',
    security: bearer,
    request: { query: attentionRequest },
    responses: { 200: json(attentionList, 'A page of what waits'), ...refusal },
  })
  const count = createRoute({
    method: 'get',
    path: '/payments/count',
    security: bearer,
    responses: { 200: json(attentionCount, 'How much waits'), ...refusal },
  })
  const check = createRoute({
    method: 'post',
    path: '/payments/held/{id}/check',
    security: bearer,
    request: { params: one },
    responses: {
      200: json(
        z.object({ status: purchaseStatus.nullable() }),
        'The purchase, as its payment has it now; null while it still waits',
      ),
      ...refusal,
    },
  })
  const accept = createRoute({
    method: 'post',
    path: '/payments/held/{id}/accept',
    security: bearer,
    middleware: requireRecentSignIn,
    request: { params: one },
    responses: { 200: done, ...refusal },
  })
  const acceptDismissed = createRoute({
    method: 'post',
    path: '/payments/dismissed/{id}/accept',
    security: bearer,
    request: { params: one, ...body(dismissedAcceptance) },
    responses: { 200: done, ...refusal },
  })
  const refund = createRoute({
    method: 'post',
    path: '/payments/held/{id}/refund',
    security: bearer,
    middleware: requireRecentSignIn,
    request: { params: one },
    responses: { 200: done, ...refusal },
  })
  const mailAgain = createRoute({
    method: 'post',
    path: '/payments/mail/{id}/again',
    security: bearer,
    request: { params: one },
    responses: { 200: done, ...refusal },
  })
  const eventAgain = createRoute({
    method: 'post',
    path: '/payments/event/{id}/again',
    security: bearer,
    request: { params: z.object({ id: needId }) },
    responses: { 200: done, ...refusal },
  })
  const putAside = createRoute({
    method: 'post',
    path: '/payments/{kind}/{id}/dismissal',
    security: bearer,
    request: { params: z.object({ kind: dismissableKind, id: needId }), ...body(dismissal) },
    responses: { 200: done, ...refusal },
  })

  return createApi()
    .openapi(list, async (c) => c.json(await listNeeds(services, c.req.valid('query')), 200))
    .openapi(count, async (c) => c.json(await countNeeds(services), 200))
    .openapi(check, async (c) => {
      const status = await checkHeld(services, actorOf(c, services), c.req.valid('param').id)
      return c.json({ status }, 200)
    })
    .openapi(accept, async (c) => {
      const accepted = { purchase_id: c.req.valid('param').id, state: 'held' } as const
      await acceptPayment(services, actorOf(c, services), accepted)
      return c.json({ is_done: true }, 200)
    })
    .openapi(acceptDismissed, async (c) => {
      const { current_password } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      await services.auth.requireRecentProof(c.var.user, { current_password, network })
      const accepted = { purchase_id: c.req.valid('param').id, state: 'dismissed' } as const
      await acceptPayment(services, actorOf(c, services), accepted)
      return c.json({ is_done: true }, 200)
    })
    .openapi(refund, async (c) => {
      await refundHeld(services, actorOf(c, services), c.req.valid('param').id)
      return c.json({ is_done: true }, 200)
    })
    .openapi(mailAgain, async (c) => {
      await sendAgain(services, actorOf(c, services), c.req.valid('param').id)
      return c.json({ is_done: true }, 200)
    })
    .openapi(eventAgain, async (c) => {
      await lookUpAgain(services, actorOf(c, services), c.req.valid('param').id)
      return c.json({ is_done: true }, 200)
    })
    .openapi(putAside, async (c) => {
      await dismiss(services, actorOf(c, services), { ...c.req.valid('param'), ...c.req.valid('json') })
      return c.json({ is_done: true }, 200)
    })
}
